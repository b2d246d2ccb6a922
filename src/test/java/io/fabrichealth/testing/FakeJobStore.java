package io.fabrichealth.testing;

import io.fabrichealth.store.JobStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Jobs and analyses in memory. */
public final class FakeJobStore implements JobStore {
  private final Map<String, StoredJob> jobs = new ConcurrentHashMap<>();
  private final Map<String, String> collectives = new ConcurrentHashMap<>();
  private final Map<UUID, StoredAnalysis> analyses = new ConcurrentHashMap<>();

  @Override
  public boolean saveRoster(String job, String roster, int ranks, boolean ended, Instant at) {
    StoredJob before = jobs.get(job);
    JobHead old =
        before == null ? new JobHead(job, 0, false, at, at, null, null, null) : before.head();
    JobHead head =
        new JobHead(
            job,
            ranks,
            ended,
            old.createdAt(),
            at,
            old.lastAnalysis(),
            old.analyzedAt(),
            old.findings());
    jobs.put(job, new StoredJob(head, roster));
    collectives.putIfAbsent(job, "[]");
    return before == null;
  }

  @Override
  public void saveAnalysis(StoredAnalysis analysis, String known) {
    analyses.put(analysis.id(), analysis);
    StoredJob before = jobs.get(analysis.job());
    Instant at = analysis.at();
    JobHead old =
        before == null
            ? new JobHead(analysis.job(), 0, false, at, at, null, null, null)
            : before.head();
    JobHead head =
        new JobHead(
            old.name(),
            old.ranks(),
            old.ended(),
            old.createdAt(),
            at,
            analysis.id(),
            at,
            analysis.findings());
    jobs.put(analysis.job(), new StoredJob(head, before == null ? null : before.roster()));
    collectives.put(analysis.job(), known);
  }

  @Override
  public Optional<StoredJob> job(String name) {
    return Optional.ofNullable(jobs.get(name));
  }

  @Override
  public Optional<String> collectives(String job) {
    return Optional.ofNullable(collectives.get(job));
  }

  @Override
  public List<JobHead> jobs() {
    return jobs.values().stream().map(StoredJob::head).toList();
  }

  @Override
  public Optional<StoredAnalysis> analysis(String job, UUID id) {
    return Optional.ofNullable(analyses.get(id)).filter(found -> found.job().equals(job));
  }

  public void clear() {
    jobs.clear();
    collectives.clear();
    analyses.clear();
  }
}
