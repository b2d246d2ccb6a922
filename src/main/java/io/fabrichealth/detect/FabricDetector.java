package io.fabrichealth.detect;

import java.time.Duration;

/**
 * Judges the whole fabric from time to time: what no device tells alone. Pure: what it knows of the
 * past is its state.
 *
 * @param <S> its state, as that of a {@link Detector}
 */
public interface FabricDetector<S> {

  /** Unique among all kinds of detectors, stable, kebab-case. */
  String id();

  /** The class of the state, for reading it back. */
  Class<S> stateType();

  /** The state before anything was seen. */
  S initial();

  /** Time between two steps, at least a second: at whole multiples of it since 1970. */
  Duration every();

  /**
   * One look at the fabric, with all records in that are not newer than the view.
   *
   * @return the new state and all that the detector now says: an earlier finding that is not
   *     repeated no longer holds
   */
  Step<S> step(S state, FabricView view);
}
