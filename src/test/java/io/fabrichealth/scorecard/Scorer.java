package io.fabrichealth.scorecard;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.simulate.world.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the incidents of a run against the truth. Strict: an incident is right at the entity alone.
 */
final class Scorer {
  private static final double AUDIT = 1e-9;

  /** Where a probability still tells its logit to the precision of the audit. */
  private static final double CERTAIN = 1e-6;

  private static final Duration EARLY = Duration.ofSeconds(5);
  private static final Duration AFTERWARDS = Duration.ofMinutes(15);

  private final Truth truth;
  private final List<Incident> alarms;
  private final List<Incident> suppressed;
  private final ToDoubleFunction<Truth.Fault> firstUncorrectable;

  /**
   * @param firstUncorrectable seconds since 1970 of the first uncorrectable codeword after a fault
   *     began; NaN where it is not known
   */
  Scorer(Truth truth, List<Incident> incidents, ToDoubleFunction<Truth.Fault> firstUncorrectable) {
    this.truth = truth;
    this.firstUncorrectable = firstUncorrectable;
    alarms = incidents.stream().filter(one -> one.suppressedBy() == null).toList();
    suppressed = incidents.stream().filter(one -> one.suppressedBy() != null).toList();
  }

  RunScore score(String label) {
    List<FaultScore> faults = truth.faults().stream().map(this::fault).toList();
    int right = 0;
    int allowed = 0;
    int linksBlamed = 0;
    List<String> echoes = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (Incident incident : alarms) {
      boolean isRight = anyFault(incident, true) != null;
      boolean isAllowed = !isRight && isAllowed(incident);
      linksBlamed += !isAllowed && incident.cause().degradesLink() ? 1 : 0;
      if (isRight) {
        right++;
      } else if (isAllowed) {
        allowed++;
      } else if (anyFault(incident, false) != null) {
        echoes.add(words(incident));
      } else {
        wrong.add(words(incident));
      }
    }
    return new RunScore(
        label,
        truth.faultClass(),
        truth.className(),
        truth.severity(),
        truth.links() * truth.seconds() / Duration.ofDays(1).toSeconds(),
        faults,
        right,
        echoes,
        wrong,
        linksBlamed,
        allowed,
        suppressed.size(),
        alarms.size() + suppressed.size(),
        (int)
            Stream.concat(alarms.stream(), suppressed.stream()).filter(Scorer::isUnsound).count());
  }

  private Truth.@Nullable Fault anyFault(Incident incident, boolean atEntity) {
    for (Truth.Fault fault : truth.faults()) {
      boolean there = atEntity ? isEntity(fault, incident) : isMember(fault, incident);
      if (there && isOfItsTime(fault, incident) && !isAnnounced(fault)) {
        return fault;
      }
    }
    return null;
  }

  private FaultScore fault(Truth.Fault fault) {
    boolean announced = isAnnounced(fault);
    List<Incident> ofItsTime =
        (announced ? suppressed : alarms)
            .stream()
                .filter(incident -> isOfItsTime(fault, incident))
                .filter(incident -> !isOfAnother(fault, incident))
                .sorted(
                    Comparator.comparing(Incident::probability)
                        .reversed()
                        .thenComparing(Incident::openedAt)
                        .thenComparing(Incident::fingerprint))
                .toList();
    int rank = 0;
    Incident found = null;
    for (int i = 0; i < ofItsTime.size() && found == null; i++) {
      if (isEntity(fault, ofItsTime.get(i))) {
        found = ofItsTime.get(i);
        rank = i + 1;
      }
    }
    double uncorrectable = firstUncorrectable.applyAsDouble(fault);
    return new FaultScore(
        fault.faultClass(),
        fault.severity(),
        fault.subject().type() + " " + fault.subject().id(),
        fault.cause(),
        announced,
        rank,
        found != null && causes(fault).contains(found.cause().name()),
        found == null ? Double.NaN : Math.max(0, seconds(fault.observableFrom(), found)),
        found == null ? Double.NaN : seconds(fault.onset(), found),
        found == null ? Double.NaN : uncorrectable - found.openedAt().toEpochMilli() / 1000.0,
        found == null ? null : words(found));
  }

  private static double seconds(Instant from, Incident incident) {
    return Duration.between(from, incident.openedAt()).toNanos() / 1e9;
  }

  private boolean isOfAnother(Truth.Fault fault, Incident incident) {
    return truth.faults().stream()
        .anyMatch(
            other -> other != fault && isEntity(other, incident) && !isEntity(fault, incident));
  }

  private static Set<String> causes(Truth.Fault fault) {
    Set<String> causes = new HashSet<>(fault.acceptedCauses());
    causes.add(fault.cause());
    return causes;
  }

  private static boolean isAnnounced(Truth.Fault fault) {
    return Boolean.TRUE.equals(fault.parameters().get("announced"));
  }

  /** Whether it opened while the fault was there, or while its traces were. */
  private static boolean isOfItsTime(Truth.Fault fault, Incident incident) {
    Instant end = fault.end();
    return !incident.openedAt().isBefore(fault.onset().minus(EARLY))
        && (end == null || incident.openedAt().isBefore(end.plus(AFTERWARDS)));
  }

  private static boolean isEntity(Truth.Fault fault, Incident incident) {
    return Stream.concat(Stream.of(fault.subject()), fault.aliases().stream())
        .anyMatch(subject -> isAt(subject, incident));
  }

  private static boolean isMember(Truth.Fault fault, Incident incident) {
    return fault.members().stream().anyMatch(subject -> isAt(subject, incident));
  }

  private static boolean isAt(Truth.Subject subject, Incident incident) {
    String type = incident.subject().type().label();
    return subject.id().equals(incident.subject().id())
        && (subject.type().isEmpty() || subject.type().equals(type));
  }

  private boolean isAllowed(Incident incident) {
    for (Truth.Confounder confounder : truth.confounders()) {
      boolean fits =
          confounder.allowedCauses().contains(incident.cause().name())
              && (isAt(confounder.subject(), incident)
                  || confounder.subject().type().equals("fabric"));
      if (fits) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnsound(Incident incident) {
    double sum = incident.evidence().stream().mapToDouble(Evidence::nats).sum();
    double p = incident.probability();
    double q = sum >= 0 ? 1 / (1 + Math.exp(-sum)) : Math.exp(sum) / (1 + Math.exp(sum));
    boolean tells = p > CERTAIN && p < 1 - CERTAIN;
    double logit = Math.log(p) - Math.log1p(-p);
    return !(Math.abs(p - q) <= AUDIT) || tells && !(Math.abs(sum - logit) <= AUDIT);
  }

  private static String words(Incident incident) {
    return "%s %s %s at %s (%.4f): %s"
        .formatted(
            incident.cause(),
            incident.subject().type().label(),
            incident.subject().id(),
            incident.openedAt(),
            incident.probability(),
            incident.summary());
  }

  /** Whether a subject has a fault at that time that can be seen; empty where that is open. */
  static Map<String, Boolean> faulty(Truth truth, Instant at) {
    Map<String, Boolean> faulty = new HashMap<>();
    for (Truth.Fault fault : truth.faults()) {
      Instant end = fault.end();
      boolean now = !at.isBefore(fault.observableFrom()) && (end == null || at.isBefore(end));
      fault.members().forEach(member -> faulty.putIfAbsent(member.id(), null));
      // One entity under several names is one trial.
      fault.aliases().forEach(alias -> faulty.put(alias.id(), null));
      faulty.put(fault.subject().id(), now && !isAnnounced(fault) ? Boolean.TRUE : null);
    }
    return faulty;
  }
}
