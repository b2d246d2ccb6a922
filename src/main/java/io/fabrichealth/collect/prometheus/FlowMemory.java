package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.ProbeTable.Flow;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one flow's counts were at the page before: what came since is one aggregate. */
final class FlowMemory {
  private double sent = Double.NaN;
  private double answered = Double.NaN;
  private Map<Double, Double> buckets = Map.of();

  /** Probes without an answer: at the last page, at the start, and those told as lost since. */
  private double pending;

  private double pendingAtStart;
  private double told;
  private int pagesWithout;

  void seen() {
    pagesWithout = 0;
  }

  /** The flow is not on the page; false where it is to be forgotten. */
  boolean unseen() {
    return ++pagesWithout <= PortMemory.FORGOTTEN_AFTER;
  }

  /**
   * What was probed since the page before; null where that is nothing, or nothing is known of then.
   *
   * @param target the prober's own name
   */
  @Nullable ProbeSample since(Flow flow, String target) {
    if (Double.isNaN(flow.sent()) || Double.isNaN(flow.answered())) {
      return null;
    }
    if (flow.isState()) {
      return sample(flow, target, flow.sent(), flow.sent() - flow.answered(), null);
    }
    boolean isNew = Double.isNaN(sent) || flow.sent() < sent || flow.answered() < answered;
    double probes = flow.sent() - sent;
    double lost = isNew ? 0 : lost(flow);
    Map<Double, Double> grown = isNew ? Map.of() : growth(flow.buckets());
    if (isNew) {
      pendingAtStart = flow.sent() - flow.answered();
      told = 0;
    }
    pending = flow.sent() - flow.answered();
    sent = flow.sent();
    answered = flow.answered();
    buckets = new TreeMap<>(flow.buckets());
    if (isNew || probes < 1) {
      return null;
    }
    double lostNow = Math.min(lost, probes);
    told += lostNow;
    return sample(flow, target, probes, lostNow, RoundTrips.of(grown));
  }

  /**
   * Probes that are lost by now and were not told yet. A probe that is under way at one page is
   * answered by the next; so what has no answer at both is lost, but for as many as may be under
   * way at any time.
   */
  private double lost(Flow flow) {
    double unanswered = flow.sent() - flow.answered();
    double atBoth = flow.inFlight() == 0 ? unanswered : Math.min(unanswered, pending);
    return Math.max(0, atBoth - pendingAtStart - flow.inFlight() - told);
  }

  /** Growth of each bucket; empty where the buckets are others than before, or fell. */
  private Map<Double, Double> growth(TreeMap<Double, Double> now) {
    if (!now.keySet().equals(buckets.keySet())) {
      return Map.of();
    }
    Map<Double, Double> growth = new TreeMap<>();
    for (Map.Entry<Double, Double> bucket : now.entrySet()) {
      double by = bucket.getValue() - buckets.getOrDefault(bucket.getKey(), Double.NaN);
      if (!(by >= 0)) {
        return Map.of();
      }
      growth.put(bucket.getKey(), by);
    }
    return growth;
  }

  private static ProbeSample sample(
      Flow flow, String target, double probes, double lost, @Nullable RoundTrip rtt) {
    long sent = Math.round(probes);
    return new ProbeSample(
        new Endpoint(flow.source().isEmpty() ? target : flow.source(), null),
        new Endpoint(flow.destination().isEmpty() ? flow.tool() : flow.destination(), null),
        flow.tool(),
        null,
        null,
        List.of(),
        sent,
        Math.clamp(Math.round(lost), 0, sent),
        rtt);
  }
}
