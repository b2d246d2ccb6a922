package io.fabrichealth.metrics;

import io.fabrichealth.collect.TargetStatus;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the targets fare. */
final class CollectMetrics {
  private static final String[] TARGET = {"collector", "device"};
  private static final String[] FAILURE = {"collector", "code", "device"};

  private CollectMetrics() {}

  static void add(Scrape scrape, List<TargetStatus> targets) {
    Map<Labels, TargetStatus> tried = new LinkedHashMap<>();
    for (TargetStatus target : targets) {
      if (target.lastAttempt() != null) {
        tried.putIfAbsent(
            Labels.of(TARGET, new String[] {target.collector(), target.device()}), target);
      }
    }
    scrape.gauge(
        "fabric_collect_success",
        "Whether the last pass over the target was complete.",
        series ->
            tried.forEach(
                (labels, target) -> series.add(labels, target.failure() == null ? 1 : 0)));
    scrape.gauge(
        "fabric_collect_duration_seconds",
        "How long the last pass over the target took.",
        series -> tried.forEach((labels, target) -> series.add(labels, target.lastSeconds())));
    scrape.gauge(
        "fabric_collect_last_success_timestamp_seconds",
        "When the last complete pass over the target ended.",
        series ->
            tried.forEach((labels, target) -> series.add(labels, seconds(target.lastSuccess()))));
    scrape.gauge(
        "fabric_collect_remarks",
        "Oddities of the target that lose no reading; the API says which.",
        series -> tried.forEach((labels, target) -> series.add(labels, target.remarks().size())));
    scrape.counter(
        "fabric_collect_late_passes",
        "Passes over the target that took longer than from one pass to the next.",
        series -> tried.forEach((labels, target) -> series.add(labels, target.latePasses())));
    scrape.counter(
        "fabric_collect_dropped_readings",
        "Readings of the target that were left out, over the budget of a device.",
        series -> tried.forEach((labels, target) -> series.add(labels, target.allDropped())));
    scrape.counter(
        "fabric_collect_failures",
        "Problems of passes over the target.",
        series ->
            tried.forEach(
                (labels, target) ->
                    target
                        .failures()
                        .forEach(
                            (code, count) ->
                                series.add(
                                    Labels.of(
                                        FAILURE,
                                        new String[] {
                                          target.collector(), code.name(), target.device()
                                        }),
                                    count))));
  }

  static double seconds(@Nullable Instant time) {
    return time == null ? Double.NaN : time.getEpochSecond() + time.getNano() / 1e9;
  }
}
