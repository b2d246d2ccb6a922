package io.fabrichealth.runtime;

import io.fabrichealth.collect.Collector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows which target, or which sender, told of which device. What nobody reads any more is neither
 * judged nor shown; one target may tell of many devices, so their names alone do not say it.
 */
final class SourceLedger {
  /** Stands for all that is sent by others. */
  private static final String PUSHED = "pushed";

  /** A sender that is silent for so long sends no more. */
  private static final Duration SENDER_IS_GONE = Duration.ofHours(1);

  /** So long after the start, a source of stored state may be silent and still be read. */
  private static final Duration WAITS_FOR_FIRST = Duration.ofMinutes(10);

  private final long startedNanos;
  private final Map<String, Heard> heard = new HashMap<>();
  private Set<String> targets;

  private record Heard(String target, long nanos) {}

  SourceLedger(Settings settings, long nowNanos) {
    targets = settings.targetKeys();
    startedNanos = nowNanos;
  }

  /** The key of a collector's target. */
  static String target(Collector collector) {
    return key(collector.device(), collector.name());
  }

  static String key(String device, String collector) {
    return collector + " " + device;
  }

  void change(Settings settings) {
    targets = settings.targetKeys();
  }

  /** The key of what is sent under a collector's name. */
  static String pushed(String collector) {
    return PUSHED + " " + collector;
  }

  /** Whether a target, or a sender, still tells of the device. */
  boolean tells(String device, String by, long nowNanos) {
    return by.startsWith(PUSHED)
        ? isRead(device, by.substring(pushed("").length()), nowNanos)
        : targets.contains(by);
  }

  /**
   * A batch came.
   *
   * @param from null where it was sent by others
   */
  void heard(String device, String collector, @Nullable Collector from, long nowNanos) {
    heard.put(key(device, collector), new Heard(from == null ? PUSHED : target(from), nowNanos));
  }

  /** Forgets senders that send no more, and what targets told that are none any more. */
  void prune(long nowNanos) {
    if (nowNanos - startedNanos < WAITS_FOR_FIRST.toNanos()) {
      return;
    }
    heard
        .values()
        .removeIf(
            last ->
                last.target().equals(PUSHED)
                    ? nowNanos - last.nanos() >= SENDER_IS_GONE.toNanos()
                    : !targets.contains(last.target()));
  }

  boolean isRead(String device, String collector, long nowNanos) {
    Heard last = heard.get(key(device, collector));
    if (last == null) {
      return targets.contains(key(device, collector))
          || nowNanos - startedNanos < WAITS_FOR_FIRST.toNanos();
    }
    return last.target().equals(PUSHED)
        ? nowNanos - last.nanos() < SENDER_IS_GONE.toNanos()
        : targets.contains(last.target());
  }
}
