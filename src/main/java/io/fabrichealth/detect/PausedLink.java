package io.fabrichealth.detect;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One direction of a link that is held up by its receiver in one priority.
 *
 * @param ratio share of the time for which it was paused when last read
 * @param memory what is known of its past
 */
record PausedLink(
    Link link, PortId sender, PortId receiver, int priority, double ratio, PauseMemory memory) {
  private static final int MOST_MEMBERS = 64;

  /** Their links, each once; not all where they are very many. */
  static List<Subject> subjects(Collection<PausedLink> links) {
    Set<Subject> subjects = new LinkedHashSet<>();
    for (PausedLink link : links) {
      if (subjects.size() < MOST_MEMBERS) {
        subjects.add(Subject.of(link.link()));
      }
    }
    return List.copyOf(subjects);
  }

  /** A line about what happened here since it is paused. */
  Evidence evidence(
      FabricView view,
      Family family,
      String signal,
      String observed,
      String expected,
      double nats) {
    boolean atReceiver = signal.contains("tx_pause") || signal.startsWith("roce");
    PortId at = atReceiver ? receiver : sender;
    SignalWindow window = view.window(at);
    return new Evidence(
        family,
        signal,
        Subject.of(link),
        observed,
        expected,
        Reference.LIMIT,
        nats,
        PortView.instant(memory.sinceNanos()),
        view.at(),
        (window == null ? "" : window.collector() + " ") + at.device());
  }
}
