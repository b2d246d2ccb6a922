package io.fabrichealth.simulate.world;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to simulate. The same scenario gives the same records.
 *
 * @param fabric {@code F1}, {@code F1-part}, {@code F2} or {@code F3}
 * @param faultClass of the benchmark; 0 where nothing happens
 * @param start time of the first record
 * @param probes latency probes in each ten seconds
 * @param wanted faults to stage beside that of the class
 */
public record Scenario(
    String fabric,
    int faultClass,
    Severity severity,
    long seed,
    Duration length,
    Duration poll,
    Flavour flavour,
    Telemetry telemetry,
    Instant start,
    int probes,
    List<Wanted> wanted) {
  public static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private static final Duration CLASS_RUN = Duration.ofHours(2);
  private static final Duration DRIFT_RUN = Duration.ofHours(48);

  /** The class of slow drift, whose run is long. */
  private static final int DRIFT = 1;

  /** The class that only InfiniBand's retransmission has. */
  private static final int RETRANSMISSION = 20;

  /**
   * @throws IllegalArgumentException where something cannot be simulated
   */
  public Scenario {
    wanted = List.copyOf(wanted);
    Shape.of(fabric);
    Faults.requireKnown(faultClass);
    wanted.forEach(fault -> Faults.requireKnown(fault.faultClass()));
    boolean retransmits =
        faultClass == RETRANSMISSION
            || wanted.stream().anyMatch(fault -> fault.faultClass() == RETRANSMISSION);
    if (retransmits && flavour != Flavour.INFINIBAND) {
      throw new IllegalArgumentException("class 20 is of InfiniBand alone");
    }
    if (poll.compareTo(Duration.ofSeconds(1)) < 0 || poll.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("poll " + poll + ": expected 1 s to 1 h");
    }
    if (length.compareTo(poll) < 0) {
      throw new IllegalArgumentException("length " + length + " is shorter than a poll");
    }
  }

  /**
   * A fault to stage.
   *
   * @param subject id of a link, port, host or switch that it is to be at; null for any
   * @param after from the start of the run; null for the class's own time
   */
  public record Wanted(
      int faultClass, Severity severity, @Nullable String subject, @Nullable Duration after) {}

  /** A run of a class as the benchmark has it: 2 h at 10 s polls, 48 h at 60 s for a drift. */
  public static Scenario of(String fabric, int faultClass, Severity severity, long seed) {
    boolean isDrift = faultClass == DRIFT;
    boolean isLarge = fabric.equals("F3");
    return new Scenario(
        fabric,
        faultClass,
        severity,
        seed,
        isDrift ? DRIFT_RUN : CLASS_RUN,
        Duration.ofSeconds(isDrift ? 60 : 10),
        faultClass == RETRANSMISSION ? Flavour.INFINIBAND : Flavour.ROCE,
        isLarge ? Telemetry.COUNTERS : Telemetry.MIXED,
        START,
        isLarge ? 0 : 16,
        List.of());
  }

  /** Nothing wrong, 20 signals a port. */
  public static Scenario healthy(String fabric, long seed, Duration length, Duration poll) {
    return new Scenario(
        fabric,
        0,
        Severity.MEDIUM,
        seed,
        length,
        poll,
        Flavour.ROCE,
        Telemetry.COUNTERS,
        START,
        0,
        List.of());
  }

  public Scenario with(Duration newLength, Duration newPoll) {
    return new Scenario(
        fabric,
        faultClass,
        severity,
        seed,
        newLength,
        newPoll,
        flavour,
        telemetry,
        start,
        probes,
        wanted);
  }

  public Scenario with(Flavour newFlavour) {
    return new Scenario(
        fabric,
        faultClass,
        severity,
        seed,
        length,
        poll,
        newFlavour,
        telemetry,
        start,
        probes,
        wanted);
  }

  public Scenario with(List<Wanted> newWanted) {
    return new Scenario(
        fabric,
        faultClass,
        severity,
        seed,
        length,
        poll,
        flavour,
        telemetry,
        start,
        probes,
        newWanted);
  }

  double seconds() {
    return length.toNanos() / 1e9;
  }

  double pollSeconds() {
    return poll.toNanos() / 1e9;
  }
}
