package io.fabrichealth.runtime;

import io.fabrichealth.collect.jobs.GatheredInputs;
import io.fabrichealth.collect.jobs.InvalidRosterException;
import io.fabrichealth.collect.jobs.JobInputs;
import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.collect.jobs.JobRoster;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.KnownCollective;
import io.fabrichealth.runtime.UnusableJobException.Fault;
import io.fabrichealth.store.JobStore;
import io.fabrichealth.store.JobStore.StoredAnalysis;
import io.fabrichealth.store.JobStore.StoredJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes what jobs leave behind, and says what is wrong with them.
 *
 * <p>What was read of a job stays in memory, so that a later upload is judged together with it:
 * dumps with logs, one rank's with another's. Files do not stay, for logs hold secrets. Rosters and
 * analyses are stored.
 */
public final class JobDesk implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JobDesk.class);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern PLACE = Pattern.compile("([a-z]+(?:\\[\\d+])?(?:\\.\\w+)?): (.+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_FAULTS = 100;
  private static final int MOST_COLLECTIVES = 10_000;

  private final Path directory;
  private final JobStore store;
  private final JobIntake engine;
  private final InstantSource clock;
  private final JobQueue analyses = new JobQueue(PATIENCE, this::analyzeNow);
  private volatile Limits limits;

  /** By job; the one that was used last is the last. */
  private final Map<String, Kept> kept = new LinkedHashMap<>(16, .75f, true);

  private long keptWeight;

  /**
   * What was read of a job while it had this roster. Where it has another one, it runs elsewhere:
   * what its processes said before is not of these.
   */
  private record Kept(Job roster, GatheredInputs inputs) {
    long weight() {
      return inputs.weight() + roster.ranks().size();
    }
  }

  /**
   * How much is taken.
   *
   * @param uploadBytes of one upload, as it is sent
   * @param files what of one upload is read
   * @param keptWeight of what was read of all jobs; of more, the jobs longest unheard of go
   */
  public record Limits(long uploadBytes, JobLimits files, long keptWeight) {}

  /** A roster that was taken. */
  public record Enrolled(boolean isNew, Stored job) {}

  /**
   * A job.
   *
   * @param roster null where it is not known
   */
  public record Stored(JobStore.JobHead head, @Nullable Job roster) {}

  /** What was found of a job, and when. */
  public record Analysis(UUID id, String job, Instant at, JobReport report) {}

  /**
   * @param directory for files while they are read; emptied
   */
  public JobDesk(
      Path directory, JobStore store, JobIntake engine, InstantSource clock, Limits limits) {
    this.directory = directory;
    this.store = store;
    this.engine = engine;
    this.clock = clock;
    this.limits = limits;
    try {
      JobUpload.delete(directory);
    } catch (IOException e) {
      log.warn("uploads=left directory={} reason=\"{}\"", directory, e.toString());
    }
  }

  // --- rosters

  /**
   * Replaces a job's roster.
   *
   * @param text whatever {@link JobRoster} reads; its job's name, if it has one, has to be this one
   * @param ranksPerHost 0 where the text tells it
   * @return empty where the engine has no room now
   */
  public Optional<Enrolled> enroll(String name, String text, int ranksPerHost)
      throws UnusableJobException {
    Job read = read(text, ranksPerHost);
    if (!read.name().equals("-")
        && !read.name().equals(name)
        && text.stripLeading().startsWith("{")) {
      throw roster(new Fault("job", "is '%s', and '%s' in the path".formatted(read.name(), name)));
    }
    List<Fault> missing = new ArrayList<>();
    for (int i = 0; i < read.ranks().size() && missing.size() < MOST_FAULTS; i++) {
      JobRank rank = read.ranks().get(i);
      if (rank.host() == null || rank.host().isBlank()) {
        missing.add(new Fault("ranks[%d].host".formatted(i), "is needed: the rank's host"));
      }
    }
    if (!missing.isEmpty()) {
      throw roster(missing.toArray(Fault[]::new));
    }
    Job job = new Job(name, read.ranks(), read.groups());
    boolean ended = isEnded(text);
    if (!engine.offer(job, ended)) {
      return Optional.empty();
    }
    String document = JSON.writeValueAsString(job);
    boolean isNew = store.saveRoster(name, document, job.ranks().size(), ended, clock.instant());
    return Optional.of(new Enrolled(isNew, job(name).orElseThrow()));
  }

  private static Job read(String text, int ranksPerHost) throws UnusableJobException {
    try {
      return JobRoster.of(text, ranksPerHost);
    } catch (InvalidRosterException problem) {
      String message = String.valueOf(problem.getMessage());
      Matcher place = PLACE.matcher(message);
      throw roster(
          place.matches() ? new Fault(place.group(1), place.group(2)) : new Fault("", message));
    }
  }

  private static UnusableJobException roster(Fault... faults) {
    return new UnusableJobException("The roster cannot be used.", List.of(faults));
  }

  private static boolean isEnded(String text) {
    return text.stripLeading().startsWith("{")
        && JSON.readTree(text).path("ended").asBoolean(false);
  }

  /** Tells the engine of the jobs that run, as far as it has room. */
  void tellRosters() {
    for (JobStore.JobHead head : store.jobs()) {
      if (!head.ended() && head.ranks() > 0) {
        store
            .job(head.name())
            .map(JobDesk::roster)
            .ifPresent(roster -> engine.offer(roster, false));
      }
    }
  }

  // --- uploads

  /** Begins an upload. */
  public JobUpload upload() throws IOException {
    Files.createDirectories(directory);
    return new JobUpload(Files.createTempDirectory(directory, "upload"), limits.uploadBytes());
  }

  /**
   * Reads an upload, and analyses the job by it and by what was sent before.
   *
   * @param fresh whether what was sent before is forgotten
   * @return empty where the analyses of others take too long
   * @throws UnusableJobException where nothing of it can be read
   */
  public Optional<Analysis> analyze(String name, JobUpload upload, boolean fresh)
      throws UnusableJobException, InterruptedException {
    return analyses.analyze(
        name, () -> GatheredInputs.read(upload.directory(), limits.files()), fresh);
  }

  /**
   * The same, of files that are not moved.
   *
   * @param directory of the job
   * @param files below it
   */
  Optional<Analysis> analyze(String name, Path directory, List<Path> files, boolean fresh)
      throws UnusableJobException, InterruptedException {
    return analyses.analyze(
        name, () -> GatheredInputs.read(directory, files, limits.files()), fresh);
  }

  private void analyzeNow(String name, List<JobQueue.Sent> together) {
    Job known = known(name);
    Kept before = together.getFirst().isFresh() ? null : kept(name, known);
    GatheredInputs all = before == null ? GatheredInputs.NONE : before.inputs();
    List<JobQueue.Sent> usable = new ArrayList<>();
    for (JobQueue.Sent sent : together) {
      GatheredInputs read = sent.read().get();
      if (read.inputs().isEmpty()) {
        sent.answer().completeExceptionally(unusable(read));
      } else {
        all = all.joinedBy(read);
        usable.add(sent);
      }
    }
    if (!usable.isEmpty()) {
      Analysis analysis = analyzeNow(name, known, all);
      usable.forEach(sent -> sent.answer().complete(analysis));
    }
  }

  private static UnusableJobException unusable(GatheredInputs read) {
    return new UnusableJobException(
        "No dump or log could be read.",
        read.unread().stream()
            .limit(MOST_FAULTS)
            .map(file -> new Fault(file.path(), String.valueOf(file.reason())))
            .toList());
  }

  private Analysis analyzeNow(String name, Job known, GatheredInputs all) {
    JobInputs inputs = all.inputs();
    JobAnalysis found =
        JobAnalyzer.analyze(
            new Job(name, known.ranks(), known.groups()),
            inputs.recorders(),
            inputs.unread(),
            inputs.logs(),
            inputs.inspectors());
    JobReport.Builder builder = new JobReport.Builder(false);
    builder.add(inputs, found);
    Analysis analysis = new Analysis(UUID.randomUUID(), name, clock.instant(), builder.build());
    store.saveAnalysis(
        new StoredAnalysis(
            analysis.id(),
            name,
            analysis.at(),
            found.findings().size(),
            JSON.writeValueAsString(analysis.report())),
        JSON.writeValueAsString(KnownCollective.of(inputs.recorders(), MOST_COLLECTIVES)));
    keep(name, new Kept(known, all));
    boolean isTold = engine.offer(name, found.findings());
    log.info(
        "event=job_analyzed job=\"{}\" findings={} inputs={} told_engine={}",
        name,
        found.findings().size(),
        inputs.inputs().size(),
        isTold);
    return analysis;
  }

  private void keep(String name, Kept read) {
    synchronized (kept) {
      Kept before = kept.put(name, read);
      keptWeight += read.weight() - (before == null ? 0 : before.weight());
      Iterator<Kept> oldest = kept.values().iterator();
      while (keptWeight > limits.keptWeight() && oldest.hasNext()) {
        keptWeight -= oldest.next().weight();
        oldest.remove();
      }
    }
  }

  /** What was read of the job with this roster; null where nothing stays. */
  private @Nullable Kept kept(String name, Job roster) {
    synchronized (kept) {
      Kept found = kept.get(name);
      return found != null && found.roster().equals(roster) ? found : null;
    }
  }

  /** Whether what comes of the job now is judged together with what came before. */
  boolean keeps(String name) {
    return kept(name, known(name)) != null;
  }

  private Job known(String name) {
    return store.job(name).map(JobDesk::roster).orElse(Job.UNNAMED);
  }

  /** Holds from the next upload on. */
  void limit(Limits other) {
    limits = other;
  }

  @Override
  public void close() {
    analyses.close();
  }

  // --- what is known

  public List<JobStore.JobHead> jobs() {
    return store.jobs();
  }

  public Optional<Stored> job(String name) {
    return store.job(name).map(job -> new Stored(job.head(), roster(job)));
  }

  public Optional<Analysis> analysis(String job, UUID id) {
    return store
        .analysis(job, id)
        .map(
            found ->
                new Analysis(
                    found.id(),
                    found.job(),
                    found.at(),
                    JSON.readValue(found.report(), JobReport.class)));
  }

  /** What the last analysis knew of the job's collectives; empty where there is no such job. */
  public Optional<List<KnownCollective>> collectives(String job) {
    return store
        .collectives(job)
        .map(document -> JSON.readValue(document, new TypeReference<>() {}));
  }

  private static @Nullable Job roster(StoredJob job) {
    return job.roster() == null ? null : JSON.readValue(job.roster(), Job.class);
  }
}
