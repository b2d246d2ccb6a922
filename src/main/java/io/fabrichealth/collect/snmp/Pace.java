package io.fabrichealth.collect.snmp;

import java.time.Duration;

/**
 * How much time a pass over a device gets. One that has more to say than fits into its interval
 * (thousands of interfaces, a slow agent) is read less often, and whole: a table of which each pass
 * reads the beginning only would leave its end unread for ever.
 */
final class Pace {
  /** A device that takes longer yet is not worth waiting for. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Duration configured;
  private volatile Duration current;

  Pace(Duration configured) {
    this.configured = configured;
    current = configured;
  }

  /** Time from one pass to the next, which is also what a pass may take. */
  Duration interval() {
    return current;
  }

  /** How many times the configured interval that is. */
  double factor() {
    return (double) current.toNanos() / configured.toNanos();
  }

  /** A pass ran out of time. */
  void cutOff() {
    Duration longer = current.multipliedBy(2);
    current = longer.compareTo(LONGEST) > 0 ? max(LONGEST, configured) : longer;
  }

  /** A pass came to its end in this time. */
  void finished(Duration took) {
    // Half of the time must be enough by far, or the next slow pass is cut off again.
    if (current.compareTo(configured) > 0 && took.multipliedBy(4).compareTo(current) < 0) {
      current = max(current.dividedBy(2), configured);
    }
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
