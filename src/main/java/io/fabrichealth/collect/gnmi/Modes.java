package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.gnmi.SubscribedPath.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a device lets itself be asked for each path: as the profile says, or in the next lesser way
 * where it refused that. Outlives connections.
 */
final class Modes {
  private final List<SubscribedPath> paths;
  private final @Nullable Mode[] modes;
  private final @Nullable String[] refusals;

  Modes(List<SubscribedPath> paths) {
    this.paths = paths;
    modes = new @Nullable Mode[paths.size()];
    refusals = new @Nullable String[paths.size()];
    for (int index = 0; index < modes.length; index++) {
      modes[index] = paths.get(index).mode();
    }
  }

  /** Null where the device refuses the path in every mode. */
  @Nullable Mode of(int path) {
    return modes[path];
  }

  boolean isSampled(int path) {
    return modes[path] != Mode.ON_CHANGE;
  }

  /** Why the device refuses the path in every mode; null where it does not. */
  @Nullable String refusal(int path) {
    return refusals[path];
  }

  /** The device refuses the path as it was asked for. */
  void refused(int path, String why) {
    Mode before = modes[path];
    if (before == Mode.ON_CHANGE) {
      modes[path] = Mode.SAMPLE;
    } else if (before == Mode.SAMPLE) {
      modes[path] = Mode.ONCE;
    } else {
      modes[path] = null;
      refusals[path] = why;
    }
  }

  /** All paths that are asked for in these modes. */
  List<SubscribedPath> in(Mode... wanted) {
    List<SubscribedPath> found = new ArrayList<>();
    for (SubscribedPath path : paths) {
      if (Arrays.asList(wanted).contains(modes[path.index()])) {
        found.add(path);
      }
    }
    return found;
  }

  /** What differs from the profile, for people. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    for (SubscribedPath path : paths) {
      String refusal = refusals[path.index()];
      if (refusal != null) {
        remarks.add("refuses " + path.text() + ": " + refusal);
      } else if (modes[path.index()] != path.mode()) {
        remarks.add("takes %s as %s only".formatted(path.text(), modes[path.index()]));
      }
    }
    return remarks;
  }
}
