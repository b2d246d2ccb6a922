package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Path;

/**
 * A path that is asked for.
 *
 * @param target of the prefix, empty for none; paths of different targets need calls of their own
 * @param origin of the prefix, empty for OpenConfig
 */
record SubscribedPath(
    int index, String text, Path path, String target, String origin, Mode mode, Sure sure) {

  /** How it is asked for first; a device may refuse that. */
  enum Mode {
    /** Every value, once an interval. */
    SAMPLE,
    /** When it changes. */
    ON_CHANGE,
    /** Asked for anew in each pass. */
    ONCE
  }
}
