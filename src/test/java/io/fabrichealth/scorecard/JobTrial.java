package io.fabrichealth.scorecard;

import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.simulate.world.JobSimulation;
import io.fabrichealth.verdict.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Many jobs with a known fault through the engine: who is named, and what it is said to cost. */
final class JobTrial {
  private final JobSimulation.Fault fault;
  private int runs;
  private int named;
  private int wrong;
  private int network;
  private final List<Double> impactErrors = new ArrayList<>();

  JobTrial(JobSimulation.Fault fault) {
    this.fault = fault;
  }

  JobTrial run(long firstSeed, int seeds) {
    Engine engine = Replay.engine(ThresholdCatalogue.load());
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      run(engine, new JobSimulation(fault, seed));
    }
    return this;
  }

  private void run(Engine engine, JobSimulation job) {
    EngineState state = engine.initial();
    Map<Subject, Cause> opened = new LinkedHashMap<>();
    job.run(
        input -> {
          for (Verdict verdict : engine.step(state, input)) {
            Cause cause = verdict.cause();
            if (verdict.openedAt() != null && cause != null) {
              opened.put(verdict.subject(), cause);
            }
          }
        });
    runs++;
    boolean isNamed = opened.keySet().stream().anyMatch(one -> one.id().equals(job.subject()));
    named += isNamed ? 1 : 0;
    wrong += (int) opened.keySet().stream().filter(one -> !one.id().equals(job.subject())).count();
    network += opened.values().stream().anyMatch(Cause::degradesLink) ? 1 : 0;
    for (Subject subject : opened.keySet()) {
      if (subject.id().equals(job.subject()) && !state.impacts(subject).isEmpty()) {
        double told = state.impacts(subject).getFirst().lostShare();
        impactErrors.add(Math.abs(told / job.lostShare() - 1));
      }
    }
  }

  int runs() {
    return runs;
  }

  /** Runs in which the one at fault was named. */
  int named() {
    return named;
  }

  /** Incidents of anything else. */
  int wrong() {
    return wrong;
  }

  /** Runs in which a link was blamed. */
  int networkBlamed() {
    return network;
  }

  /** Of the time lost, relative, the median; NaN where none was told. */
  double impactError(double quantile) {
    return ClassRow.quantile(impactErrors.stream().mapToDouble(error -> error), quantile);
  }

  /** For one kind of fault and so many runs: {@code SLOW_RANK 500}. */
  public static void main(String[] args) {
    System.out.println(
        new JobTrial(JobSimulation.Fault.valueOf(args[0])).run(1, Integer.parseInt(args[1])));
  }

  @Override
  public String toString() {
    return "%s: %d runs, %d named, %d wrong incidents, network blamed in %d, impact off by %.3f (median), %.3f (p95)"
        .formatted(fault, runs, named, wrong, network, impactError(.5), impactError(.95));
  }
}
