package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalWindow;
import java.util.List;

/** What the engine keeps of one port as one collector reads it. Belongs to one thread. */
final class PortState {
  /** Polls without a state or error counters after which the port counts as not read. */
  private static final int BLIND_AFTER = 3;

  final Object[] detectorStates;
  final List<List<Finding>> findings;
  boolean isStateKnown;
  boolean isUp;
  int pollsWithoutState;
  int pollsWithoutErrors;

  /** What {@link CoverageCheck} found read at the last poll, one bit a group. */
  int coverage;

  /** Whether that changed since the link was judged. */
  boolean isCoverageNew = true;

  final Source source;

  /** Stays the same object; holds what was read last. */
  final SignalWindow window;

  final PortEntry entry;

  PortState(PortEntry entry, Source source, SignalWindow window, List<Detector<?>> detectors) {
    this.entry = entry;
    this.source = source;
    this.window = window;
    detectorStates = detectors.stream().map(Detector::initial).toArray();
    findings = new java.util.ArrayList<>(detectors.size());
    detectors.forEach(detector -> findings.add(List.of()));
  }

  boolean hasFindings() {
    for (int index = 0; index < findings.size(); index++) {
      if (!findings.get(index).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  boolean isBlind() {
    return pollsWithoutState >= BLIND_AFTER || pollsWithoutErrors >= BLIND_AFTER;
  }

  void missed() {
    isCoverageNew |= coverage != 0;
    coverage = 0;
    pollsWithoutState++;
    pollsWithoutErrors++;
  }
}
