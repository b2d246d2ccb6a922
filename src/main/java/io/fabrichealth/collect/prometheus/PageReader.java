package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes outcomes of the pages of one exporter and keeps what it learns between them: boot identity,
 * which port gives what, what the devices look like.
 *
 * <p>A page shows ports of the target itself, or of devices that its samples name, or both. The
 * readings of the latter go under the collector's name and what told of them, {@code
 * prometheus/ufm}: the same device may be read by itself too, and the two readers' counters are not
 * to be mixed.
 */
public final class PageReader {
  /** The collector's name. */
  public static final String NAME = "prometheus";

  private static final int MOST_NAMED = 5;

  private final String target;
  private final Role role;
  private final MetricMapping mapping;
  private final String collector;
  private final DeviceMemory own;
  private final Map<String, DeviceMemory> others = new LinkedHashMap<>();
  private final Map<String, FlowMemory> flows = new LinkedHashMap<>();

  public PageReader(String target, Role role, MetricMapping mapping) {
    this(target, role, mapping, NAME);
  }

  /**
   * @param target name of the target, and of the device where that is one
   * @param collector under which the readings go
   */
  public PageReader(String target, Role role, MetricMapping mapping, String collector) {
    this.target = target;
    this.role = role;
    this.mapping = mapping;
    this.collector = collector;
    own = new DeviceMemory(collector);
  }

  /**
   * The outcome of a page.
   *
   * @param at when its end was in hand
   * @param ended why reading ended early; null where it did not
   */
  public CollectOutcome outcome(Page page, Instant at, @Nullable Problem ended) {
    PageDevices devices = PageDevices.of(page, target, role, mapping.shapes().size());
    List<Problem> problems = problems(page, devices, ended);
    boolean whole = ended == null && page.cutAt() == null;
    List<PollBatch> batches = new ArrayList<>();
    List<Sighting> sightings = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<Assembled> assembled = new ArrayList<>();
    if (page.readings() > 0) {
      if (!devices.host().ports().isEmpty() || !own.ports().isEmpty()) {
        assembled.add(assemble(page, devices.host(), own, at, whole, lost));
      }
      for (DevicePorts device : devices.others()) {
        assembled.add(assemble(page, device, memory(device), at, whole, lost));
      }
    }
    if (!lost.isEmpty()) {
      problems.add(new Problem(FailureCode.PARTIAL, "the exporter no longer gives " + some(lost)));
    }
    for (Assembled device : assembled) {
      batches.add(device.batch().build(problems.isEmpty()));
      Sighting told = whole ? device.memory().changed(sighting(page, device)) : null;
      if (told != null) {
        sightings.add(told);
      }
    }
    List<ProbeSample> probes = probes(page, whole);
    addMissed(batches, at);
    return new CollectOutcome(
        batches, sightings, probes, page.table().leftOut(), problems, List.of());
  }

  private List<ProbeSample> probes(Page page, boolean whole) {
    List<ProbeSample> samples = new ArrayList<>();
    if (!whole) {
      // Of a flow that is cut off nothing can be told, and the next page tells it all.
      return samples;
    }
    Set<String> seen = new HashSet<>();
    for (ProbeTable.Flow flow : page.probes().flows()) {
      FlowMemory memory = flows.computeIfAbsent(flow.id(), unknown -> new FlowMemory());
      memory.seen();
      seen.add(flow.id());
      ProbeSample sample = memory.since(flow, target);
      if (sample != null) {
        samples.add(sample);
      }
    }
    flows.entrySet().removeIf(flow -> !seen.contains(flow.getKey()) && !flow.getValue().unseen());
    return samples;
  }

  /** A device whose readings stand in a batch that is still open. */
  private record Assembled(
      DevicePorts device, DeviceMemory memory, PollBatch.Builder batch, List<SeenPort> ports) {}

  private Assembled assemble(
      Page page,
      DevicePorts device,
      DeviceMemory memory,
      Instant at,
      boolean whole,
      List<String> lost) {
    boolean isHost = memory == own;
    PollBatch.Builder batch = PollBatch.builder(device.device(), memory.collector(), at);
    if (isHost) {
      batch.deviceTime(page.facts().clock()).boot(memory.boot(page.facts().bootTime()));
    } else {
      batch.deviceTime(device.readAt());
    }
    PortAssembly assembly = new PortAssembly(mapping, page, device, batch, memory.ports());
    List<SeenPort> ports = assembly.addPorts(whole);
    if (whole) {
      String of = isHost ? "" : " of " + device.device();
      assembly.addLost().forEach(what -> lost.add(what + of));
    }
    memory.seen();
    return new Assembled(device, memory, batch, ports);
  }

  private DeviceMemory memory(DevicePorts device) {
    return others.computeIfAbsent(
        device.device(),
        unknown ->
            new DeviceMemory(
                device.source() == null ? collector : collector + "/" + device.source()));
  }

  /** Devices that were known and are not in the batches; the target itself where nothing is. */
  private void addMissed(List<PollBatch> batches, Instant at) {
    Set<String> read = batches.stream().map(PollBatch::device).collect(Collectors.toSet());
    Iterator<Map.Entry<String, DeviceMemory>> known = others.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<String, DeviceMemory> device = known.next();
      if (read.contains(device.getKey())) {
        continue;
      }
      if (device.getValue().unseen()) {
        batches.add(PollBatch.missed(device.getKey(), device.getValue().collector(), at));
      } else {
        known.remove();
      }
    }
    boolean isDevice = !own.ports().isEmpty() || (batches.isEmpty() && flows.isEmpty());
    if (isDevice && !read.contains(target)) {
      batches.addFirst(PollBatch.missed(target, collector, at));
    }
  }

  private static String some(List<String> lost) {
    String named = String.join(", ", lost.subList(0, Math.min(lost.size(), MOST_NAMED)));
    return lost.size() > MOST_NAMED
        ? named + " and %d more".formatted(lost.size() - MOST_NAMED)
        : named;
  }

  private static List<Problem> problems(Page page, PageDevices devices, @Nullable Problem ended) {
    List<Problem> problems = new ArrayList<>();
    if (ended != null) {
      problems.add(ended);
    } else if (page.cutAt() != null) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              "the page ends within %s, which was not taken".formatted(page.cutAt())));
    }
    for (String complaint : page.complaints()) {
      problems.add(new Problem(FailureCode.MALFORMED, complaint));
    }
    if (devices.doubles() > 0) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              "%d ports stand there under two names (the first was taken)"
                  .formatted(devices.doubles())));
    }
    if (page.readings() == 0 && page.probes().flows().isEmpty() && problems.isEmpty()) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              "none of the page's %d samples is of a port of a fabric".formatted(page.samples())));
    }
    return problems;
  }

  private Sighting sighting(Page page, Assembled assembled) {
    DevicePorts device = assembled.device();
    boolean isHost = assembled.memory() == own;
    return new Sighting(
        device.device(),
        device.role(),
        isHost ? page.facts().systemName() : device.systemName(),
        null,
        isHost ? chassis(page.facts()) : device.chassisIds(),
        assembled.ports(),
        device.neighbours(),
        !device.neighbours().isEmpty());
  }

  private List<String> chassis(HostFacts facts) {
    List<String> chassis = new ArrayList<>();
    facts
        .addresses()
        .forEach(
            (netdev, mac) -> {
              MetricMapping.LeftOut rule = mapping.leftOut(netdev);
              if ((rule == null || rule.namesHost()) && !chassis.contains(mac)) {
                chassis.add(mac);
              }
            });
    return chassis;
  }
}
