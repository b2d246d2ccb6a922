package io.fabrichealth.engine;

/** Turns the state of a detector into bytes and back; the engine itself knows no format. */
public interface StateCodec {
  byte[] encode(Object state);

  /**
   * @throws RuntimeException where the bytes are not those of such a state; the detector then
   *     learns anew
   */
  <S> S decode(byte[] bytes, Class<S> type);
}
