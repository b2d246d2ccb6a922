package io.fabrichealth.engine;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.Fused;
import io.fabrichealth.verdict.Fusion;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers what is said of a subject, fuses it, and moves the subject's track on. */
final class Judge {
  private final CoverageCheck coverage;

  Judge(CoverageCheck coverage) {
    this.coverage = coverage;
  }

  /**
   * The verdict now; null where the subject is neither a link of the fabric nor accused.
   *
   * @param polled whether one of the subject's ports was just read
   */
  @Nullable Verdict judge(EngineState state, Subject subject, boolean polled) {
    Track track = state.tracks.get(subject);
    if (track == null) {
      return null;
    }
    Link link = subject.type() == SubjectType.LINK ? state.fabric.link(subject.id()) : null;
    if (subject.type() == SubjectType.LINK && link == null) {
      return null;
    }
    Collection<PortId> witnesses = link != null ? link.ends() : witnesses(state, subject);
    List<Finding> findings = findings(state, subject, witnesses);
    List<PortId> ends = link != null ? link.ends() : List.of();
    boolean down = link != null && isDown(state, link);
    Fused fused =
        Fusion.fuse(subject, ends, findings, explanations(state, subject), state.now).orDown(down);
    boolean known =
        link != null ? isKnown(state, link) : witnesses.isEmpty() || canSeeAny(state, witnesses);
    if (link != null && known) {
      state.blind.remove(subject);
    } else if (link != null) {
      state.blind.add(subject);
    }
    Track moved = track.advance(fused, known, known && polled, state.now);
    if (link == null && findings.isEmpty() && !moved.isOpen()) {
      state.remove(subject);
    } else {
      state.put(moved);
    }
    return moved.verdict(fused, coverage(state, witnesses));
  }

  /** Causes of open incidents that this subject is a member of. */
  private static Set<Cause> explanations(EngineState state, Subject subject) {
    Set<Subject> by = state.explainedBy(subject);
    if (by.isEmpty()) {
      return Set.of();
    }
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    for (Subject other : by) {
      Track track = state.tracks.get(other);
      if (track != null && track.isOpen() && track.cause() != null) {
        causes.add(track.cause());
      }
    }
    return causes;
  }

  /** Subjects other than links of which this device is a witness. */
  List<Subject> accusedBy(EngineState state, String device) {
    List<Subject> accused = new ArrayList<>();
    for (Subject subject : state.others()) {
      if (witnesses(state, subject).stream().anyMatch(port -> port.device().equals(device))) {
        accused.add(subject);
      }
    }
    return accused;
  }

  /** Who accused the subject; where nobody is known to have, all ports at and around the device. */
  private static Collection<PortId> witnesses(EngineState state, Subject subject) {
    Collection<PortId> accusers = state.accusations.ports(subject);
    if (!accusers.isEmpty()) {
      return accusers;
    }
    return state.fabric.linksOf(subject.id()).stream()
        .flatMap(link -> link.ends().stream())
        .toList();
  }

  /** The last word on a subject that is no longer part of the fabric. */
  Verdict gone(Subject subject, Instant at) {
    Fused nothing = Fusion.fuse(subject, List.of(), List.of(), at);
    return Track.fresh(subject, at).verdict(nothing, Coverage.NONE);
  }

  private static List<Finding> findings(
      EngineState state, Subject subject, Collection<PortId> witnesses) {
    List<Finding> all = new ArrayList<>();
    for (PortId witness : witnesses) {
      for (Source source : state.sourcesOf(witness.device())) {
        PortState port = source.ports.get(witness.port());
        if (port == null) {
          continue;
        }
        for (List<Finding> findings : port.findings) {
          for (Finding finding : findings) {
            if (finding.subject().equals(subject)) {
              all.add(finding);
            }
          }
        }
      }
    }
    state.accusations.addFindings(subject, all);
    return all;
  }

  /**
   * Whether enough is read of a link to say something: of each end that is read at all, the state
   * and the error counters; and of at least one end.
   */
  boolean isKnown(EngineState state, Link link) {
    boolean anyRead = false;
    for (PortId end : link.ends()) {
      if (state.sources.containsKey(end.device())) {
        if (!canSee(state, end)) {
          return false;
        }
        anyRead = true;
      }
    }
    return anyRead;
  }

  private static boolean canSeeAny(EngineState state, Collection<PortId> ports) {
    return ports.stream().anyMatch(port -> canSee(state, port));
  }

  private static boolean canSee(EngineState state, PortId id) {
    for (Source source : state.sourcesOf(id.device())) {
      PortState port = source.ports.get(id.port());
      if (port != null && !port.isBlind() && !source.isSilent(state.now)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDown(EngineState state, Link link) {
    for (PortId end : link.ends()) {
      for (Source source : state.sourcesOf(end.device())) {
        PortState port = source.ports.get(end.port());
        if (port != null && port.isStateKnown && !port.isUp && !port.isBlind()) {
          return true;
        }
      }
    }
    return false;
  }

  private Coverage coverage(EngineState state, Collection<PortId> ports) {
    List<String> missing = new ArrayList<>();
    int read = 0;
    for (PortId port : ports) {
      read += coverage.count(port, state.window(port), missing);
    }
    int wanted = ports.size() * coverage.groups();
    return wanted == 0 ? Coverage.NONE : new Coverage((double) read / wanted, missing);
  }
}
