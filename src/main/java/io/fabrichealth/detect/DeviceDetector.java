package io.fabrichealth.detect;

/**
 * Judges one device from poll to poll, as one collector reads it: what its ports tell together and
 * none tells alone. Pure: what it knows of the past is its state.
 *
 * @param <S> its state, as that of a {@link Detector}
 */
public interface DeviceDetector<S> {

  /** Unique among all kinds of detectors, stable, kebab-case. */
  String id();

  /** The class of the state, for reading it back. */
  Class<S> stateType();

  /** The state of a device that was never seen. */
  S initial();

  /**
   * One poll of one device, after its ports were judged.
   *
   * @return the new state and all that the detector now says: an earlier finding that is not
   *     repeated no longer holds
   */
  Step<S> step(S state, DeviceView view);
}
