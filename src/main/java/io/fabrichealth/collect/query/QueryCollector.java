package io.fabrichealth.collect.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.prometheus.PageClient;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Sighting;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks one database for the samples of all mapped metrics of the last while, in few large queries.
 * The samples have the times at which exporters were scraped, so that it does not matter how the
 * two intervals relate.
 */
final class QueryCollector implements Collector {
  static final String NAME = "prometheus-query";

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final long MOST_BYTES = 512L << 20;
  private static final int MOST_PROBLEMS = 20;

  private final QueryTarget target;
  private final PrometheusTarget api;
  private final PageClient client;
  private final InstantSource clock;
  private final QueriedExporters exporters;
  private final BackOff backOff;

  /** One query each; a query whose answer is too large is split for good. */
  private List<List<String>> selectors;

  QueryCollector(
      QueryTarget target, PageClient client, MetricMapping mapping, InstantSource clock) {
    this.target = target;
    this.client = client;
    this.clock = clock;
    api = api(target);
    exporters = new QueriedExporters(target, NAME, mapping);
    backOff = new BackOff(target.interval(), LONGEST_PAUSE);
    selectors = Selectors.split(mapping.metrics());
  }

  private static PrometheusTarget api(QueryTarget target) {
    String base = target.url().toString();
    QueryTarget.Basic basic = target.basic();
    return new PrometheusTarget(
        target.name(),
        target.role(),
        URI.create((base.endsWith("/") ? base : base + "/") + "api/v1/query"),
        target.interval(),
        target.timeout(),
        MOST_BYTES,
        target.bearerToken(),
        basic == null ? null : new PrometheusTarget.Basic(basic.user(), basic.password()),
        target.caFile());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String device() {
    return target.name();
  }

  @Override
  public String address() {
    return api.address();
  }

  @Override
  public Duration interval() {
    return target.interval();
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Instant now = clock.instant();
    String held = backOff.holds(now);
    if (held != null) {
      Problem why = new Problem(FailureCode.BACK_OFF, target.name() + ": " + held);
      return joined(exporters.missed(now.toEpochMilli(), "is not known"), List.of(why), List.of());
    }
    exporters.begin();
    Pass pass = new Pass(now, deadline);
    pass.run();
    List<Problem> problems = pass.problems;
    if (pass.series == 0 && problems.isEmpty()) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              target.name() + ": the database has no samples of the metrics that are asked for"));
    }
    if (pass.series == 0 && !problems.isEmpty()) {
      backOff.failed(now, problems.getFirst().message());
      return joined(exporters.missed(now.toEpochMilli(), "is not known"), problems, pass.warnings);
    }
    backOff.succeeded();
    if (exporters.nameless() > 0) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              "%d series have no label %s that tells whose they are"
                  .formatted(exporters.nameless(), target.deviceLabel())));
    }
    if (exporters.tooMany() > 0) {
      problems.add(
          new Problem(
              FailureCode.TOO_LARGE,
              "%d series are of more exporters or ports than are taken"
                  .formatted(exporters.tooMany())));
    }
    return joined(exporters.outcomes(now.toEpochMilli(), pass.ended), problems, pass.warnings);
  }

  /** The queries of one pass, all for the same moment. */
  private final class Pass {
    private final Instant now;
    private final Instant deadline;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private @Nullable Problem ended;
    private long series;
    private long badSeries;

    Pass(Instant now, Instant deadline) {
      this.now = now;
      this.deadline = deadline;
    }

    void run() throws InterruptedException {
      Deque<List<String>> left = new ArrayDeque<>(selectors);
      List<List<String>> asked = new ArrayList<>();
      while (!left.isEmpty()) {
        List<String> names = left.removeFirst();
        Problem problem = ask(names);
        if (problem != null && problem.code() == FailureCode.TOO_LARGE && names.size() > 1) {
          left.addFirst(names.subList(names.size() / 2, names.size()));
          left.addFirst(names.subList(0, names.size() / 2));
          continue;
        }
        asked.add(names);
        if (problem != null) {
          problems.add(problem);
          ended = ended == null ? problem : ended;
          if (!isOfOneQuery(problem)) {
            asked.addAll(left);
            break;
          }
        }
      }
      selectors = asked;
      if (badSeries > 0) {
        problems.add(
            new Problem(FailureCode.MALFORMED, "%d series cannot be read".formatted(badSeries)));
      }
    }

    /** Whether the next query may fare better. */
    private static boolean isOfOneQuery(Problem problem) {
      return switch (problem.code()) {
        case TOO_LARGE, MALFORMED, PARTIAL, HTTP_STATUS -> true;
        case TIMEOUT, UNREACHABLE, UNKNOWN_HOST, AUTHENTICATION, TLS, BACK_OFF, INTERNAL -> false;
      };
    }

    private @Nullable Problem ask(List<String> names) throws InterruptedException {
      Duration time = Duration.between(clock.instant(), deadline);
      Duration limit = time.compareTo(target.timeout()) < 0 ? time : target.timeout();
      if (!limit.isPositive()) {
        return new Problem(FailureCode.TIMEOUT, target.name() + ": no time was left");
      }
      QueryAnswer answer = new QueryAnswer();
      try {
        client.post(
            api,
            form(names, limit),
            limit,
            body ->
                answer.read(
                    body,
                    (labels, times, values, samples) ->
                        exporters.add(labels, times, values, samples, now.toEpochMilli())));
      } catch (CollectException e) {
        series += answer.series();
        return new Problem(e.code(), String.valueOf(e.getMessage()));
      }
      series += answer.series();
      badSeries += answer.badSeries();
      answer.warnings().stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
      if (!answer.success()) {
        return refused(answer.error());
      }
      return answer.partial()
          ? new Problem(
              FailureCode.PARTIAL, target.name() + ": the database says that it did not find all")
          : null;
    }

    private Problem refused(String error) {
      // Both databases tell their limits in words only.
      boolean tooMuch =
          error.contains("too many samples")
              || error.contains("-search.max")
              || error.contains("exceeds the limit");
      return new Problem(
          tooMuch ? FailureCode.TOO_LARGE : FailureCode.MALFORMED,
          "%s: %s refused the query: %s".formatted(target.name(), api.address(), error));
    }

    private String form(List<String> names, Duration limit) {
      // Twice the interval, so that a scrape that was still being written is told again.
      Duration window = target.interval().multipliedBy(2).plusSeconds(10);
      String query = Selectors.text(names, target.match(), window);
      return "query=%s&time=%d.%03d&timeout=%dms"
          .formatted(
              URLEncoder.encode(query, UTF_8),
              now.getEpochSecond(),
              now.getNano() / 1_000_000,
              limit.toMillis());
    }
  }

  private static CollectOutcome joined(
      List<CollectOutcome> each, List<Problem> ofPass, List<String> warnings) {
    List<PollBatch> batches = new ArrayList<>();
    List<Sighting> sightings = new ArrayList<>();
    List<ProbeSample> probes = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    List<Problem> problems = new ArrayList<>(ofPass);
    for (CollectOutcome outcome : each) {
      batches.addAll(outcome.batches());
      sightings.addAll(outcome.sightings());
      probes.addAll(outcome.probes());
      leftOut.addAll(outcome.leftOut());
      for (Problem problem : outcome.problems()) {
        if (problems.size() < MOST_PROBLEMS && !problems.contains(problem)) {
          problems.add(problem);
        }
      }
    }
    return new CollectOutcome(batches, sightings, probes, leftOut, problems, warnings);
  }

  @Override
  public void close() {
    // The client is shared by all targets and is closed with them.
  }
}
