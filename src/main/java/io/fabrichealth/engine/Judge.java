package io.fabrichealth.engine;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.Fused;
import io.fabrichealth.verdict.Fusion;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gathers what is said of a subject, fuses it, and moves the subject's track on. */
final class Judge {
  private final CoverageCheck coverage;
  private final Company company;

  Judge(CoverageCheck coverage, Company company) {
    this.coverage = coverage;
    this.company = company;
  }

  /**
   * The verdict now; null where the subject is neither a link of the fabric nor accused, and where
   * a healthy link is as it was.
   *
   * @param polled whether one of the subject's ports was just read
   */
  @Nullable Verdict judge(EngineState state, Subject subject, boolean polled) {
    Track track = state.tracks.get(subject);
    if (track == null) {
      return null;
    }
    LinkEntry link = subject.type() == SubjectType.LINK ? state.link(subject) : null;
    if (subject.type() == SubjectType.LINK && (link == null || isAsBefore(state, track, link))) {
      return null;
    }
    Collection<PortEntry> witnesses = link != null ? link.ends() : witnesses(state, subject);
    List<Finding> findings = findings(state, subject, witnesses);
    List<PortId> ends = link != null ? link.link().ends() : List.of();
    boolean down = link != null && isDown(link);
    Fused fused =
        Fusion.fuse(subject, ends, findings, explanations(state, subject), state.now).orDown(down);
    boolean unread = link != null && isUnread(state, link);
    boolean known =
        link != null
            ? isKnown(state, link)
                || unread && (track.isOpen() || fused.probability() >= Track.CLOSE_BELOW)
            : witnesses.isEmpty() || witnesses.stream().anyMatch(port -> canSee(state, port));
    if (link != null) {
      noteCoverage(link);
    }
    if (link != null && known) {
      state.blind.remove(subject);
    } else if (link != null) {
      state.blind.add(subject);
    }
    boolean waits = link != null && company.waits(state, track, fused, link);
    // Of what no port tells there are no polls to wait for: that nobody speaks of it is enough.
    boolean clean = known && (polled || witnesses.isEmpty() || unread);
    Track moved = track.advance(fused, known, clean, waits, state.now);
    if (link == null && findings.isEmpty() && !moved.isOpen()) {
      state.remove(subject);
    } else {
      state.put(moved);
    }
    return moved.verdict(fused, coverage(witnesses)).withImpacts(state.impacts(subject));
  }

  /** Nearly all links nearly always: of these nothing has to be worked out again. */
  private static boolean isAsBefore(EngineState state, Track track, LinkEntry link) {
    if (track.state() != LinkState.HEALTHY || track.isOpen() || track.quietSince() == null) {
      return false;
    }
    for (PortEntry end : link.ends()) {
      for (PortState reader : end.readers) {
        if (reader.isCoverageNew || reader.hasFindings()) {
          return false;
        }
      }
    }
    return isKnown(state, link)
        && !isDown(link)
        && !state.blind.contains(track.subject())
        && !state.accusations.has(track.subject())
        && state.explainedBy(track.subject()).isEmpty();
  }

  private static void noteCoverage(LinkEntry link) {
    for (PortEntry end : link.ends()) {
      for (PortState reader : end.readers) {
        reader.isCoverageNew = false;
      }
    }
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
      if (witnesses(state, subject).stream().anyMatch(port -> port.id.device().equals(device))) {
        accused.add(subject);
      }
    }
    return accused;
  }

  /** Who accused the subject; where nobody is known to have, all ports at and around the device. */
  private static List<PortEntry> witnesses(EngineState state, Subject subject) {
    Collection<PortId> accusers = state.accusations.ports(subject);
    Stream<PortId> ports =
        accusers.isEmpty()
            ? state.fabric.linksOf(subject.id()).stream().flatMap(link -> link.ends().stream())
            : accusers.stream();
    return ports.map(state::entry).toList();
  }

  /** The last word on a subject that is no longer part of the fabric. */
  Verdict gone(Subject subject, Instant at) {
    Fused nothing = Fusion.fuse(subject, List.of(), List.of(), at);
    return Track.fresh(subject, at).verdict(nothing, Coverage.NONE);
  }

  private static List<Finding> findings(
      EngineState state, Subject subject, Collection<PortEntry> witnesses) {
    List<Finding> all = new ArrayList<>();
    for (PortEntry witness : witnesses) {
      for (PortState reader : witness.readers) {
        for (List<Finding> findings : reader.findings) {
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
  static boolean isKnown(EngineState state, LinkEntry link) {
    boolean anyRead = false;
    for (PortEntry end : link.ends()) {
      if (canSee(state, end)) {
        anyRead = true;
      } else if (state.sources.containsKey(end.id.device())) {
        return false;
      }
    }
    return anyRead;
  }

  /** Of which only probes and jobs can tell. */
  private static boolean isUnread(EngineState state, LinkEntry link) {
    return link.ends().stream().noneMatch(end -> state.sources.containsKey(end.id.device()));
  }

  private static boolean canSee(EngineState state, PortEntry port) {
    for (PortState reader : port.readers) {
      if (!reader.isBlind() && !reader.source.isSilent(state.now)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDown(LinkEntry link) {
    for (PortEntry end : link.ends()) {
      for (PortState reader : end.readers) {
        if (reader.isStateKnown && !reader.isUp && !reader.isBlind()) {
          return true;
        }
      }
    }
    return false;
  }

  private Coverage coverage(Collection<PortEntry> ports) {
    List<String> missing = new ArrayList<>();
    int read = 0;
    for (PortEntry port : ports) {
      PortState newest = port.newest();
      read += coverage.count(port.id, newest == null ? null : newest.window, missing);
    }
    int wanted = ports.size() * coverage.groups();
    return wanted == 0 ? Coverage.NONE : new Coverage((double) read / wanted, missing);
  }
}
