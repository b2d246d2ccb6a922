package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Encoding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kind of device gives, and under which paths.
 *
 * @param encodings in the order of preference
 * @param tree of all leaves
 */
record Profile(
    String name,
    List<Encoding> encodings,
    List<SubscribedPath> paths,
    List<Leaf> leaves,
    List<MappedSignal> signals,
    List<LeftOutRule> leftOut,
    PathNode tree) {
  Profile {
    encodings = List.copyOf(encodings);
    paths = List.copyOf(paths);
    leaves = List.copyOf(leaves);
    signals = List.copyOf(signals);
    leftOut = List.copyOf(leftOut);
  }

  /** What may give the signal; nothing where the profile does not map it. */
  List<MappedReading> readings(String signalId) {
    for (MappedSignal signal : signals) {
      if (signal.signal().id().equals(signalId)) {
        return signal.readings();
      }
    }
    return List.of();
  }

  /** Name of the rule by which that is no port; null where it is one. */
  @Nullable String leftOutByName(String port) {
    for (LeftOutRule rule : leftOut) {
      if (rule.fitsName(port)) {
        return rule.name();
      }
    }
    return null;
  }

  @Nullable String leftOutByType(String type) {
    for (LeftOutRule rule : leftOut) {
      if (rule.fitsType(type)) {
        return rule.name();
      }
    }
    return null;
  }
}
