package io.fabrichealth.incident;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Guidance;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.verdict.Counterfactual;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Why an incident is open and what to do, for somebody who was just woken. Pure.
 *
 * @param text one paragraph
 * @param logOdds sum of the nats of all lines of evidence
 * @param counterfactuals what would be left without each family, the strongest first
 */
public record IncidentExplanation(
    String text, double logOdds, Guidance guidance, List<Counterfactual> counterfactuals) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM uuuu HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** From here on people would call it certain, and more digits say nothing to them. */
  private static final double ALL_BUT_CERTAIN = .9999;

  /** What no open incident may fall below. */
  private static final double STILL_LIKELY = .50;

  public IncidentExplanation {
    counterfactuals = List.copyOf(counterfactuals);
  }

  /**
   * Explains an incident.
   *
   * @param costs what the jobs lose that say so
   * @param now for how long it has been open
   */
  public static IncidentExplanation of(Incident incident, List<JobImpact> costs, Instant now) {
    Guidance guidance = Guidance.of(incident.cause());
    List<Counterfactual> without = Counterfactual.of(incident.evidence());
    String text =
        String.join(
            " ",
            incident.summary(),
            guidance.meaning(),
            duration(incident, now),
            certainty(incident, without),
            guidance.impact() + cost(costs) + repeats(incident) + handling(incident),
            "What to do: " + uncapitalised(incident.cause().recommendedAction()),
            "Check first: " + uncapitalised(guidance.checks().getFirst()));
    double logOdds = incident.evidence().stream().mapToDouble(Evidence::nats).sum();
    return new IncidentExplanation(text, logOdds, guidance, without);
  }

  private static String duration(Incident incident, Instant now) {
    Instant end = incident.resolvedAt();
    String from = TIME.format(incident.openedAt());
    return end == null
        ? "It has been so for %s, since %s.".formatted(text(incident.openedAt(), now), from)
        : "It was so for %s, from %s to %s."
            .formatted(text(incident.openedAt(), end), from, TIME.format(end));
  }

  private static String text(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    if (time.compareTo(Duration.ofMinutes(1)) < 0) {
      return "less than a minute";
    }
    if (time.compareTo(Duration.ofHours(2)) < 0) {
      return plural(time.toMinutes(), "minute");
    }
    return time.compareTo(Duration.ofDays(2)) < 0
        ? plural(time.toHours(), "hour")
        : plural(time.toDays(), "day");
  }

  private static String certainty(Incident incident, List<Counterfactual> without) {
    boolean over = incident.state() == Incident.State.RESOLVED;
    String sure =
        "The service %s %s sure of it"
            .formatted(over ? "was" : "is", percent(incident.probability()));
    List<Counterfactual> speaking =
        without.stream().filter(one -> strength(incident, one.without()) > 0).toList();
    if (speaking.isEmpty()) {
      return sure + ".";
    }
    Counterfactual main = speaking.getFirst();
    String because = sure + ", mostly because of " + words(main.without());
    if (speaking.size() == 1) {
      return "%s; nothing else speaks for it yet, and without that it would be %s."
          .formatted(because, percent(main.probability()));
    }
    return speaking.stream().allMatch(one -> one.probability() >= STILL_LIKELY)
        ? "%s; no single kind of evidence carries it alone: without that one it would still be %s."
            .formatted(because, percent(main.probability()))
        : "%s, without which it would be %s.".formatted(because, percent(main.probability()));
  }

  private static double strength(Incident incident, Family family) {
    return incident.evidence().stream()
        .filter(line -> line.family() == family)
        .mapToDouble(Evidence::alone)
        .max()
        .orElse(0);
  }

  private static String cost(List<JobImpact> costs) {
    if (costs.isEmpty()) {
      return "";
    }
    JobImpact most = Collections.max(costs, Comparator.comparing(JobImpact::gpuHoursPerDay));
    double all = costs.stream().mapToDouble(JobImpact::gpuHoursPerDay).sum();
    return String.format(
        Locale.ROOT,
        " It costs about %.1f GPU-hours a day; job %s loses most, %s of its time (%s to %s).",
        all,
        most.job(),
        percent(most.lostShare()),
        percent(most.leastShare()),
        percent(most.mostShare()));
  }

  private static String repeats(Incident incident) {
    Repeats repeats = incident.repeats();
    return repeats.count() == 0
        ? ""
        : " The same failed %s in the %d days before, last until %s."
            .formatted(
                repeats.count() == 1 ? "once" : repeats.count() + " times",
                Repeats.DAYS,
                TIME.format(Objects.requireNonNull(repeats.lastResolvedAt())));
  }

  private static String handling(Incident incident) {
    String by = incident.suppressedBy();
    if (by != null) {
      return " It pages nobody, as it belongs to " + by + ".";
    }
    return incident.state() != Incident.State.ACKNOWLEDGED
        ? ""
        : incident.changes().reversed().stream()
            .filter(change -> change.kind() == IncidentChange.Kind.ACKNOWLEDGED)
            .findFirst()
            .map(change -> " " + change.by() + " looks after it.")
            .orElse("");
  }

  private static String words(Family family) {
    return switch (family) {
      case PRIOR -> "what is usual";
      case PHY -> "what the ports count and measure of bit errors and light";
      case LOSS -> "packets that were lost";
      case EVENT -> "states and events that the devices report";
      case LATENCY -> "the delay of probes";
      case PAUSE -> "pause frames and congestion marks";
      case COLLECTIVE -> "the timing of jobs";
    };
  }

  /** Never all nor nothing: no evidence proves that much. */
  private static String percent(double probability) {
    if (probability > ALL_BUT_CERTAIN) {
      return "more than 99.99 %";
    }
    if (probability < .001) {
      return "less than 0.1 %";
    }
    double percent = probability * 100;
    String digits =
        probability > .995 ? "%.2f" : probability > .95 || probability < .10 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, digits, percent) + " %";
  }

  private static String plural(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }

  /** Names in capitals stay what they are. */
  private static String uncapitalised(String sentence) {
    boolean name = sentence.length() > 1 && Character.isUpperCase(sentence.charAt(1));
    return name ? sentence : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
  }
}
