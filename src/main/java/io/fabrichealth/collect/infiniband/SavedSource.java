package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Saved;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.collect.infiniband.SavedFiles.Version;
import io.fabrichealth.collect.infiniband.SubnetBatches.States;
import io.fabrichealth.signal.PollBatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the saved output of the tools. A file is read when it changed and has settled; its time of
 * change is the time of its readings. An old file is no new reading.
 */
final class SavedSource implements SubnetSource {
  private static final int PASSES_UNTIL_STALE = 3;
  private static final int MOST_WORDS = 5;

  private final InfinibandTarget target;
  private final Saved saved;
  private final PortSignals signals;
  private final SavedFiles files = new SavedFiles();
  private @Nullable KnownSubnet known;
  private List<Problem> lasting = List.of();
  private boolean waited;
  private boolean statesAreNew;

  SavedSource(InfinibandTarget target, Saved saved, PortSignals signals) {
    this.target = target;
    this.saved = saved;
    this.signals = signals;
  }

  @Override
  public String address() {
    return saved.discover().toString();
  }

  @Override
  public Pass read(Instant now, Instant deadline) {
    List<Problem> problems = new ArrayList<>();
    List<Path> counters = SavedFiles.matching(saved.counters(), problems);
    List<Path> all = new ArrayList<>(counters);
    all.add(saved.discover());
    Map<Path, Version> changed = files.changed(all, problems);
    if (!waited && changed.values().stream().anyMatch(version -> version.isFresh(now))) {
      // Whoever writes them may not be done; the next pass takes all of them together.
      waited = true;
      return pass(false, List.of(), false, problems);
    }
    waited = false;
    Version discovered = changed.get(saved.discover());
    boolean isNew = discovered != null && discover(discovered, now);
    statesAreNew |= isNew;
    problems.addAll(lasting);
    KnownSubnet subnet = known;
    if (subnet == null) {
      return pass(false, List.of(), false, problems);
    }
    SubnetBatches batches = new SubnetBatches(subnet, InfinibandCollector.NAME, signals);
    boolean hasCounters = false;
    for (Path file : counters) {
      Version version = changed.get(file);
      if (version != null) {
        hasCounters |= counters(file, version, batches, now, problems);
      }
    }
    noteStrangers(batches, problems);
    return pass(
        isNew, built(subnet, batches, hasCounters, counters, now, problems), true, problems);
  }

  private List<PollBatch> built(
      KnownSubnet subnet,
      SubnetBatches batches,
      boolean hasCounters,
      List<Path> counters,
      Instant now,
      List<Problem> problems) {
    if (hasCounters) {
      // State and speed go with the counters: the time of another file would be one that went back.
      States states = statesAreNew ? States.OF_READ : States.NONE;
      statesAreNew = false;
      return batches.build(states, false, now, null);
    }
    if (saved.counters().isEmpty()) {
      States states = statesAreNew ? States.OF_ALL : States.NONE;
      statesAreNew = false;
      return batches.build(states, false, now, subnet.at());
    }
    Instant newest = files.newest(counters);
    Duration longest = target.interval().multipliedBy(PASSES_UNTIL_STALE);
    if (newest != null && Duration.between(newest, now).compareTo(longest) > 0) {
      problems.add(new Problem(FailureCode.TIMEOUT, "no counters were saved since " + newest));
      return batches.build(States.NONE, true, now, null);
    }
    return List.of();
  }

  private Pass pass(
      boolean isNew, List<PollBatch> batches, boolean isReading, List<Problem> problems) {
    KnownSubnet subnet = known;
    List<String> remarks = subnet == null ? List.of() : new ArrayList<>(subnet.subnet().remarks());
    if (subnet != null) {
      remarks.add("wiring as saved at " + subnet.at());
    }
    return new Pass(subnet, isNew, batches, isReading && !batches.isEmpty(), problems, remarks);
  }

  /** Whether the file gave a subnet to go on with. */
  private boolean discover(Version version, Instant now) {
    files.read(saved.discover(), version);
    try (InputStream in = Files.newInputStream(saved.discover())) {
      Subnet subnet = InfinibandTopology.subnet(Format.IBNETDISCOVER, in);
      lasting = named(saved.discover(), subnet.refusals());
      boolean isWhole =
          !subnet.refusals().has(FailureCode.PARTIAL)
              && !subnet.refusals().has(FailureCode.TOO_LARGE);
      if (subnet.nodes().isEmpty() || (known != null && !isWhole)) {
        return false;
      }
      known = KnownSubnet.of(subnet, version.modified());
      return true;
    } catch (IOException e) {
      lasting =
          List.of(new Problem(FailureCode.UNREACHABLE, saved.discover() + " cannot be read: " + e));
      return false;
    }
  }

  /** Whether the file gave counters. */
  private boolean counters(
      Path file, Version version, SubnetBatches into, Instant now, List<Problem> problems) {
    files.read(file, version);
    CounterText text = new CounterText();
    try (InputStream in = Files.newInputStream(file)) {
      TextReader.read(in, text::line, text.refusals());
      text.end();
    } catch (IOException e) {
      problems.add(new Problem(FailureCode.UNREACHABLE, file + " cannot be read: " + e));
    }
    problems.addAll(named(file, text.refusals()));
    text.ports().forEach(port -> into.add(port, now, version.modified()));
    return !text.ports().isEmpty();
  }

  private static List<Problem> named(Path file, Refusals refusals) {
    return refusals.problems().stream()
        .map(problem -> new Problem(problem.code(), file.getFileName() + ": " + problem.message()))
        .toList();
  }

  private void noteStrangers(SubnetBatches batches, List<Problem> problems) {
    if (!batches.strangers().isEmpty()) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              "counters of %d nodes that %s does not list: %s"
                  .formatted(
                      batches.strangers().size(),
                      saved.discover().getFileName(),
                      String.join(", ", batches.strangers().stream().limit(MOST_WORDS).toList()))));
    }
  }

  @Override
  public void close() {
    // Nothing is held open between passes.
  }
}
