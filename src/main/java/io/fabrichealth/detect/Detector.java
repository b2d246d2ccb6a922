package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;

/**
 * Judges one port from poll to poll. Pure: what it knows of the past is its state.
 *
 * @param <S> its state, a record of primitives, strings, enums, arrays and lists of those, so that
 *     it can be stored as it is
 */
public interface Detector<S> {

  /** Unique, stable, kebab-case; stands in metrics and stored state. */
  String id();

  /** The class of the state, for reading it back. */
  Class<S> stateType();

  /** The state of a port that was never seen. */
  S initial();

  /**
   * One poll of one port.
   *
   * @param window the port's signals after the poll
   * @param context the port's place in the fabric and the windows of other ports
   * @return the new state and all that the detector now says of this port: an earlier finding that
   *     is not repeated no longer holds
   */
  Step<S> step(S state, SignalWindow window, DetectContext context);
}
