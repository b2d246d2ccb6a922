package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.infiniband.SubnetSource.Pass;
import io.fabrichealth.signal.PollBatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one InfiniBand subnet: a batch for each switch chip and each host. A device that was known
 * and is discovered no more is missed in every pass, as long as none of its nodes has come back
 * under another name.
 */
final class InfinibandCollector implements Collector {
  static final String NAME = "infiniband";

  private final InfinibandTarget target;
  private final SubnetSource source;
  private final InstantSource clock;
  private final Map<String, Set<Long>> devices = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  InfinibandCollector(InfinibandTarget target, SubnetSource source, InstantSource clock) {
    this.target = target;
    this.source = source;
    this.clock = clock;
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
    return source.address();
  }

  @Override
  public Duration interval() {
    return target.interval();
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Pass pass = source.read(clock.instant(), deadline);
    KnownSubnet known = pass.known();
    if (known == null) {
      return outcome(pass, pass.batches());
    }
    if (pass.isNew()) {
      discovered(known);
    }
    List<PollBatch> batches = new ArrayList<>(pass.batches());
    if (pass.isReading()) {
      Instant at = clock.instant();
      gone.forEach(device -> batches.add(PollBatch.missed(device, NAME, at)));
    }
    return outcome(pass, batches);
  }

  private CollectOutcome outcome(Pass pass, List<PollBatch> batches) {
    KnownSubnet discovered = pass.isNew() ? pass.known() : null;
    List<String> remarks = new ArrayList<>(pass.remarks());
    if (!gone.isEmpty()) {
      remarks.add("discovered no more: " + String.join(", ", gone.stream().sorted().toList()));
    }
    return new CollectOutcome(
        batches,
        discovered == null ? List.of() : discovered.sightings(),
        List.of(),
        discovered == null ? List.of() : discovered.leftOut(),
        pass.problems(),
        remarks);
  }

  private void discovered(KnownSubnet known) {
    Map<String, Set<Long>> now = new HashMap<>();
    Set<Long> guids = new HashSet<>();
    known
        .names()
        .byDevice()
        .forEach(
            (device, nodes) -> {
              Set<Long> own = new HashSet<>();
              nodes.stream()
                  .filter(SubnetSightings::isDevice)
                  .forEach(node -> own.add(node.guid()));
              if (!own.isEmpty()) {
                now.put(device, own);
                guids.addAll(own);
              }
            });
    devices.entrySet().removeIf(before -> before.getValue().stream().anyMatch(guids::contains));
    devices.keySet().removeAll(now.keySet());
    gone.clear();
    gone.addAll(devices.keySet());
    devices.putAll(now);
  }

  @Override
  public void close() {
    source.close();
  }
}
