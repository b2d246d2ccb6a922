package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A job that was made larger and whose collectives take longer, by no more than so many ranks cost
 * on perfect hardware: rounds grow with the ranks, bytes do not.
 */
final class Scaling {
  private static final int FEWEST = 8;
  private static final double SLOWER = 1.3;
  private static final double FITS = 1.3;
  private static final double BY_CHANCE = 0.3;

  /** How long each kind took before, the median over the groups. */
  private final Map<Series.Kind, Double> before = new HashMap<>();

  /** Remembers how it was, before the job changes its size. */
  void remember(JobView view) {
    Map<Series.Kind, List<Double>> all = new HashMap<>();
    for (Series one : view.series()) {
      if (isTold(view, one)) {
        all.computeIfAbsent(one.kind(), fresh -> new ArrayList<>()).add(one.transfer());
      }
    }
    all.forEach(
        (kind, times) ->
            before.put(kind, Quantiles.median(times.stream().mapToDouble(time -> time).toArray())));
  }

  List<JobFinding> find(JobView view) {
    if (before.isEmpty()) {
      return List.of();
    }
    int slower = 0;
    int asModelled = 0;
    Series worst = null;
    double most = 0;
    for (Series series : view.series()) {
      if (!isTold(view, series)) {
        continue;
      }
      double was = smaller(series.kind());
      double ratio = series.transfer() / was;
      if (!(ratio >= SLOWER)) {
        continue;
      }
      slower++;
      double expected = model(series.kind()).micros(load(series.kind(), series.kind().size()));
      if (series.transfer() <= FITS * expected) {
        asModelled++;
        if (ratio > most) {
          most = ratio;
          worst = series;
        }
      }
    }
    return worst == null ? List.of() : List.of(finding(view, worst, asModelled, slower, most));
  }

  /** Only what goes between hosts is comparable: within a host it is another network. */
  private static boolean isTold(JobView view, Series series) {
    return series.size() >= FEWEST
        && !series.isPointToPoint()
        && !series.isSocket()
        && view.spansHosts(series.ranks());
  }

  private static CostModel.Load load(Series.Kind kind, int ranks) {
    return CostModel.Load.of(kind.operation(), kind.algorithm(), ranks, (double) kind.bytes());
  }

  /** How long the same took in the largest smaller groups; NaN where that is not known. */
  private double smaller(Series.Kind kind) {
    double was = Double.NaN;
    int size = 0;
    for (Map.Entry<Series.Kind, Double> one : before.entrySet()) {
      Series.Kind other = one.getKey();
      if (isSame(kind, other)
          && other.bytes() == kind.bytes()
          && other.size() < kind.size()
          && other.size() > size) {
        size = other.size();
        was = one.getValue();
      }
    }
    return was;
  }

  private static boolean isSame(Series.Kind one, Series.Kind other) {
    return one.operation().equals(other.operation())
        && one.algorithm().equals(other.algorithm())
        && one.protocol().equals(other.protocol());
  }

  private CostModel model(Series.Kind kind) {
    List<CostModel.Load> loads = new ArrayList<>();
    List<Double> micros = new ArrayList<>();
    before.forEach(
        (other, took) -> {
          if (isSame(kind, other)) {
            loads.add(load(other, other.size()));
            micros.add(took);
          }
        });
    return CostModel.fit(
        loads.toArray(CostModel.Load[]::new), micros.stream().mapToDouble(time -> time).toArray());
  }

  private static JobFinding finding(
      JobView view, Series worst, int asModelled, int slower, double ratio) {
    return new JobFinding(
        view.finding(
            view.ofJob(),
            Cause.ALGORITHMIC_SCALING,
            Family.COLLECTIVE,
            Reference.HISTORY,
            JobView.nats((double) asModelled / slower, worst.size(), BY_CHANCE),
            JobView.say(
                "%s of %d ranks takes %.0f us, %.1f times as long as with fewer ranks",
                worst.key().operation(), worst.key().size(), worst.transfer(), ratio),
            "as long, for so many ranks, on hardware as good as before",
            List.of()),
        null);
  }
}
