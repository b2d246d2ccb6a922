package io.fabrichealth.runtime;

import io.fabrichealth.collect.jobs.InvalidRosterException;
import io.fabrichealth.collect.jobs.JobRoster;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.runtime.SettingsProperties.TorchDebugEntry;
import io.fabrichealth.runtime.SettingsProperties.WorkerEntry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Checks running jobs whose ranks are asked. */
final class SettingsTorchDebug {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final long MAX_BYTES = DataSize.ofMegabytes(32).toBytes();
  private static final int PARALLEL = 32;
  private static final int MOST_PARALLEL = 256;
  private static final int PORT = 26_000; // beside the pages for people on 25999
  private static final int LARGEST_PORT = 65_535;
  private static final int MOST_RANKS = 1 << 20;
  private static final int MOST_RANKS_A_HOST = 1_024;
  private static final List<String> BACKENDS = List.of("nccl", "gloo");
  private static final Pattern BACKEND = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

  private final SettingsProperties.TorchDebug all;
  private final Duration interval;
  private final long maxBytes;
  private final int parallel;
  private final List<String> backends;
  private final SettingsList<TorchDebugEntry, TorchDebugTarget> targets =
      new SettingsList<>(this::target, TorchDebugTarget::name);

  SettingsTorchDebug(SettingsProperties.TorchDebug all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
    maxBytes = entry.maxBytes(all.maxBytes(), MAX_BYTES);
    parallel = number("parallel", all.parallel(), PARALLEL, MOST_PARALLEL, entry);
    backends = backends(all.backends(), BACKENDS, entry);
  }

  SettingsList<TorchDebugEntry, TorchDebugTarget> targets() {
    return targets;
  }

  private TorchDebugTarget target(
      TorchDebugEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    String name = entry.unique("name", written.name(), names);
    Duration every = entry.duration("interval", written.interval(), interval);
    Job job = roster(name, written, entry);
    List<Worker> workers = workers(written.workers(), entry);
    if (workers.isEmpty() && !job.ranks().isEmpty()) {
      workers = byRule(job, entry.port("port-base", written.portBase(), PORT), entry);
    } else if (written.roster() == null
        && (written.workers() == null || written.workers().isEmpty())) {
      entry.reject("", "has no ranks", "'roster' or 'workers'");
    }
    return new TorchDebugTarget(
        job,
        workers,
        backends(written.backends(), backends, entry),
        every,
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every),
        entry.maxBytes(written.maxBytes(), maxBytes),
        parallel);
  }

  private static Job roster(String name, TorchDebugEntry written, SettingsEntry entry) {
    Path file = written.roster() == null ? null : entry.file("roster", written.roster());
    int each = number("ranks-per-host", written.ranksPerHost(), 0, MOST_RANKS_A_HOST, entry);
    if (file == null) {
      return new Job(name, List.of(), List.of());
    }
    try {
      Job read = JobRoster.read(file, each);
      return new Job(name, read.ranks(), read.groups());
    } catch (InvalidRosterException e) {
      entry.reject("roster", SettingsPlace.display(file) + ": " + e.getMessage(), null);
    } catch (IOException e) {
      entry.reject(
          "roster", SettingsPlace.display(file) + " cannot be read as text", "a readable file");
    }
    return new Job(name, List.of(), List.of());
  }

  private static List<Worker> workers(@Nullable List<WorkerEntry> written, SettingsEntry entry) {
    Map<Integer, Worker> workers = new TreeMap<>();
    for (int i = 0; written != null && i < written.size(); i++) {
      SettingsEntry at = entry.at("workers[" + i + "]");
      Integer rank = written.get(i).rank();
      URI url = at.url("url", written.get(i).url());
      if (rank == null) {
        if (!at.failed("rank")) {
          at.reject("", "'rank' is missing", "a number from 0");
        }
      } else if (rank < 0 || rank >= MOST_RANKS) {
        at.reject("rank", "'" + rank + "' is out of range", "a number from 0");
      } else if (workers.putIfAbsent(rank, new Worker(rank, url)) != null) {
        at.reject("rank", "rank " + rank + " stands here a second time", "each rank once");
      }
    }
    return List.copyOf(workers.values());
  }

  /** On each host the ranks listen one port after the other, as their GPUs or numbers follow. */
  private static List<Worker> byRule(Job job, int base, SettingsEntry entry) {
    Map<String, Integer> taken = new HashMap<>();
    List<Worker> workers = new ArrayList<>();
    for (JobRank rank : job.ranks()) {
      if (rank.host() == null) {
        entry.reject("roster", "tells no host of rank " + rank.rank(), "a host for each rank");
        return List.of();
      }
      int next = taken.merge(rank.host(), 1, Integer::sum) - 1;
      int port = base + (rank.gpu() == null ? next : rank.gpu());
      String host = rank.host().indexOf(':') >= 0 ? "[" + rank.host() + "]" : rank.host();
      URI url = url("http://" + host + ":" + port);
      if (port > LARGEST_PORT) {
        entry.reject("port-base", "gives rank " + rank.rank() + " port " + port, "a smaller one");
        return List.of();
      }
      if (url == null) {
        entry.reject("roster", "'" + rank.host() + "' is no name of a host", "host names");
        return List.of();
      }
      workers.add(new Worker(rank.rank(), url));
    }
    return workers;
  }

  private static @Nullable URI url(String text) {
    try {
      URI url = URI.create(text);
      return url.getHost() == null ? null : url;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static List<String> backends(
      @Nullable List<String> written, List<String> absent, SettingsEntry entry) {
    if (written == null || written.isEmpty()) {
      return absent;
    }
    for (int i = 0; i < written.size(); i++) {
      if (!BACKEND.matcher(written.get(i)).matches()) {
        entry.reject(
            "backends[" + i + "]", "'" + written.get(i) + "' is no backend", "nccl, gloo, ...");
      }
    }
    return written.stream().distinct().toList();
  }

  private static int number(
      String key, @Nullable Integer value, int absent, int most, SettingsEntry entry) {
    if (value != null && (value < 1 || value > most)) {
      entry.reject(key, "'" + value + "' is out of range", "1 to " + most);
    }
    return value == null ? absent : value;
  }
}
