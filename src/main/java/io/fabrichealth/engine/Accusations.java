package io.fabrichealth.engine;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who says something of which subject. Belongs to the thread that steps. */
final class Accusations {
  /**
   * Ports whose findings name a subject that is not their own link, or that such a one is about.
   */
  private final Map<Subject, Set<PortId>> ports = new HashMap<>();

  private final Map<PortId, Set<Subject>> byPort = new HashMap<>();
  private final Map<Subject, Set<Speaker>> speakers = new HashMap<>();

  void accuse(Subject subject, PortId port) {
    if (ports.computeIfAbsent(subject, unknown -> new HashSet<>()).add(port)) {
      byPort.computeIfAbsent(port, unknown -> new LinkedHashSet<>()).add(subject);
    }
  }

  /** What a detector of a device or of the fabric says from now on. */
  void say(Speaker speaker, List<Finding> findings) {
    for (Finding before : speaker.findings) {
      Set<Speaker> of = speakers.get(before.subject());
      if (of != null) {
        of.remove(speaker);
        if (of.isEmpty()) {
          speakers.remove(before.subject());
        }
      }
    }
    speaker.findings = findings;
    for (Finding finding : findings) {
      speakers.computeIfAbsent(finding.subject(), unknown -> new LinkedHashSet<>()).add(speaker);
    }
  }

  /** The ports that speak of the subject; empty where nobody is known to. */
  Collection<PortId> ports(Subject subject) {
    return ports.getOrDefault(subject, Set.of());
  }

  /** The subjects, other than its own link, that a port speaks of. */
  Collection<Subject> of(PortId port) {
    return byPort.getOrDefault(port, Set.of());
  }

  boolean has(Subject subject) {
    return ports.containsKey(subject) || speakers.containsKey(subject);
  }

  /** What detectors of devices and of the fabric say of the subject. */
  void addFindings(Subject subject, List<Finding> to) {
    for (Speaker speaker : speakers.getOrDefault(subject, Set.of())) {
      for (Finding finding : speaker.findings) {
        if (finding.subject().equals(subject)) {
          to.add(finding);
        }
      }
    }
  }

  void forget(Subject subject) {
    for (PortId port : new ArrayList<>(ports(subject))) {
      Set<Subject> of = byPort.get(port);
      if (of != null) {
        of.remove(subject);
        if (of.isEmpty()) {
          byPort.remove(port);
        }
      }
    }
    ports.remove(subject);
  }
}
