package io.fabrichealth.engine;

import io.fabrichealth.collective.JobFinding;
import io.fabrichealth.collective.JobWatch;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.verdict.Track;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The jobs that the engine follows, and what each says. Belongs to the thread that steps. */
final class Jobs {
  /** Of more jobs than these those that were silent for longest are forgotten. */
  private static final int MOST = 1_000;

  private static final int MOST_SOURCES = 16;

  /** What an analysis found holds for so long, unless another one is made. */
  private static final Duration FRESH = Duration.ofMinutes(15);

  private final Map<String, Followed> byName = new LinkedHashMap<>(16, .75f, true);

  /** Of which something came since it was last looked. */
  private final Set<Followed> heard = new LinkedHashSet<>();

  private static final class Followed {
    private final JobWatch watch;
    private final Speaker speaker = new Speaker("");
    private List<JobFinding> said = List.of();

    /** By what was analysed. */
    private final Map<String, Analysed> analyses = new LinkedHashMap<>();

    private boolean isAnalysisNew;

    Followed(JobWatch watch) {
      this.watch = watch;
    }

    void analysed(EngineInput.Analysis of) {
      if (analyses.size() < MOST_SOURCES || analyses.containsKey(of.source())) {
        analyses.put(of.source(), new Analysed(of.at(), AnalysisFindings.of(of)));
        isAnalysisNew = true;
      }
    }
  }

  private record Analysed(Instant at, List<Finding> findings) {}

  void take(EngineState state, EngineInput.Roster roster, Set<Subject> touched) {
    Followed job = followed(state, roster.job().name(), touched);
    if (!roster.job().equals(job.watch.job()) && !job.watch.job().ranks().isEmpty()) {
      job.analyses.clear();
      job.isAnalysisNew = true;
    }
    job.watch.take(roster.at(), roster.job(), roster.ended());
    heard.add(job);
  }

  void take(EngineState state, EngineInput.Analysis analysis, Set<Subject> touched) {
    Followed job = followed(state, analysis.job(), touched);
    job.analysed(analysis);
    heard.add(job);
  }

  void take(EngineState state, EngineInput.Timing timing, Set<Subject> touched) {
    Followed job = followed(state, timing.collective().job(), touched);
    job.watch.take(timing.at(), timing.collective());
    heard.add(job);
  }

  /** Looks at the jobs of which something came, where that is due. */
  void look(EngineState state, Set<Subject> touched) {
    for (Followed job : heard) {
      if (job.watch.isDue(state.now) || job.isAnalysisNew) {
        look(state, job, touched);
      }
    }
    heard.clear();
  }

  /** Looks at all that are due. */
  void sweep(EngineState state, Set<Subject> touched) {
    heard.addAll(byName.values());
    look(state, touched);
    touchSilent(state, touched);
  }

  private Followed followed(EngineState state, String name, Set<Subject> touched) {
    Followed known = byName.get(name);
    if (known == null) {
      known = new Followed(new JobWatch(name, state.now));
      byName.put(name, known);
      if (byName.size() > MOST) {
        Map.Entry<String, Followed> oldest = byName.entrySet().iterator().next();
        byName.remove(oldest.getKey());
        say(state, oldest.getValue(), List.of(), touched);
      }
    }
    return known;
  }

  private static void look(EngineState state, Followed job, Set<Subject> touched) {
    job.isAnalysisNew = false;
    try {
      List<JobFinding> found = new ArrayList<>(job.watch.look(state.now, state.fabric));
      job.analyses.values().removeIf(old -> old.at().isBefore(state.now.minus(FRESH)));
      for (Analysed analysis : job.analyses.values()) {
        analysis.findings().forEach(finding -> found.add(new JobFinding(finding, null)));
      }
      say(state, job, found, touched);
    } catch (RuntimeException e) {
      state.countDetectorFault();
    }
  }

  private static void say(
      EngineState state, Followed job, List<JobFinding> found, Set<Subject> touched) {
    job.said.forEach(before -> touched.add(before.finding().subject()));
    job.said = found;
    List<Finding> findings = found.stream().map(JobFinding::finding).toList();
    state.accusations.say(job.speaker, findings);
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      touched.add(subject);
      if (subject.type() != SubjectType.LINK && !state.tracks.containsKey(subject)) {
        state.put(Track.fresh(subject, state.now));
      }
    }
  }

  /** Ranks and jobs of which nobody speaks any more have to be looked at, so that they end. */
  private static void touchSilent(EngineState state, Set<Subject> touched) {
    for (Subject subject : state.others()) {
      if (subject.type() == SubjectType.RANK || subject.type() == SubjectType.JOB) {
        if (!state.accusations.has(subject)) {
          touched.add(subject);
        }
      }
    }
  }

  /** What a subject costs the jobs, as far as they say. */
  List<JobImpact> impacts(Subject subject) {
    Set<JobImpact> impacts = new LinkedHashSet<>();
    for (Followed job : byName.values()) {
      for (JobFinding one : job.said) {
        JobImpact impact = one.impact();
        if (impact != null && one.finding().subject().equals(subject)) {
          impacts.add(impact);
        }
      }
    }
    return new ArrayList<>(impacts);
  }
}
