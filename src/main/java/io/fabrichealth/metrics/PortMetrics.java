package io.fabrichealth.metrics;

import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.Unsigned;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Ports and what the last pass read of them. The counters are the growth since the service first
 * read them, so they go on over resets and wraps of the device. A device that did not answer has no
 * readings.
 */
final class PortMetrics {
  /** Of what no target of its own reads, so long after it was read last. */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private static final String[] PORT = {"device", "port"};
  private static final String[] LANE = {"device", "port", "lane"};
  private static final String[] DIRECTION = {"device", "port", "direction"};
  private static final String[] INFO = {
    "device", "port", "peer_device", "peer_port", "tier", "rail", "media", "fec"
  };

  private final Scrape scrape;
  private final SignalDictionary dictionary;
  private final Fabric fabric;
  private final List<Read> read = new ArrayList<>();

  private PortMetrics(Scrape scrape, FabricSnapshot snapshot) {
    this.scrape = scrape;
    dictionary = snapshot.dictionary();
    fabric = snapshot.fabric();
    Set<Source> targets = sources(snapshot.targets(), target -> true);
    Set<Source> answering = sources(snapshot.targets(), TargetStatus::lastPassRead);
    long recent = nanos(snapshot.at()) - REMEMBERED.toNanos();
    for (Map.Entry<PortId, PortReadings> entry : snapshot.readings().entrySet()) {
      PortId port = entry.getKey();
      Source source = new Source(port.device(), entry.getValue().collector());
      // What tells of many devices says itself which it missed; senders just stop.
      boolean isAnswering =
          targets.contains(source)
              ? answering.contains(source)
              : entry.getValue().readNanos() > recent;
      if (!port.port().equals(PollBatch.DEVICE) && isAnswering) {
        read.add(
            new Read(
                port,
                Labels.of(PORT, new String[] {port.device(), port.port()}),
                entry.getValue()));
      }
    }
    // Families are sorted by labels: once here is cheaper than in each of them.
    read.sort(Comparator.comparing(Read::labels));
  }

  /** A target that is one device. */
  private record Source(String device, String collector) {}

  private record Read(PortId id, Labels labels, PortReadings readings) {}

  static void add(Scrape scrape, FabricSnapshot snapshot) {
    PortMetrics metrics = new PortMetrics(scrape, snapshot);
    metrics.identity();
    metrics.traffic();
    metrics.physical();
    metrics.pauses();
    metrics.marks();
  }

  private static Set<Source> sources(List<TargetStatus> targets, Predicate<TargetStatus> which) {
    return targets.stream()
        .filter(which)
        .map(target -> new Source(target.device(), target.collector()))
        .collect(Collectors.toSet());
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  private void identity() {
    scrape.info(
        "fabric_port",
        "A port, its peer and what it is made for; join by device and port.",
        fabric.ports().stream().map(this::info).toList());
    gauge("fabric_port_up", "Whether the port is operationally up.", "port.oper_up", 1);
    gauge(
        "fabric_port_speed_bytes_per_second",
        "Speed that the port negotiated.",
        "port.speed_bits_per_second",
        1 / 8.0);
  }

  private Labels info(Port port) {
    PortId id = port.id();
    Link link = fabric.linkAt(id);
    PortId peer = link == null ? null : link.peerOf(id);
    return Labels.of(
        INFO,
        new String[] {
          id.device(),
          id.port(),
          peer == null ? "" : peer.device(),
          peer == null ? "" : peer.port(),
          link == null ? "" : link.tier().label(),
          link == null ? "" : Scrape.text(link.rail()),
          port.media().name(),
          port.fec().name()
        });
  }

  private void traffic() {
    counter("fabric_port_rx_bytes", "Bytes received.", "port.in_octets");
    counter("fabric_port_tx_bytes", "Bytes sent.", "port.out_octets");
    counter("fabric_port_rx_packets", "Packets received.", "port.in_packets");
    counter("fabric_port_tx_packets", "Packets sent.", "port.out_packets");
    counter("fabric_port_rx_errors", "Packets received with errors.", "port.in_errors");
    counter("fabric_port_tx_errors", "Packets not sent because of errors.", "port.out_errors");
    counter("fabric_port_rx_discards", "Good packets received and dropped.", "port.in_discards");
    counter("fabric_port_tx_discards", "Good packets dropped before sending.", "port.out_discards");
  }

  private void physical() {
    counter("fabric_port_link_downed", "Times the link went down.", "port.link_downed");
    scrape.counter(
        "fabric_port_fec_lane_errors",
        "Bits that FEC corrected; one lane where the device gives the total alone.",
        series -> {
          int signal = dictionary.ordinal("fec.corrected_bits");
          for (Read port : read) {
            if (port.readings().isFresh(signal)) {
              for (int lane = 0; lane < port.readings().elements(signal); lane++) {
                series.add(
                    lane(port.id(), lane), Unsigned.toDouble(port.readings().total(signal, lane)));
              }
            }
          }
        });
    counter(
        "fabric_port_fec_uncorrected_codewords",
        "Codewords with more errors than FEC can correct.",
        "fec.uncorrectable_codewords");
    counter(
        "fabric_port_fec_symbol_errors",
        "Symbols that FEC corrected, over all lanes.",
        "fec.symbol_errors");
    counter(
        "fabric_port_symbol_errors",
        "Symbol errors of an InfiniBand port (SymbolErrorCounter).",
        "ib.symbol_errors");
    gauge(
        "fabric_port_pre_fec_ber_ratio",
        "Bit errors per bit before FEC, as the device says it.",
        "fec.pre_fec_ber",
        1);
    scrape.gauge(
        "fabric_port_rx_power_dbm",
        "Optical power received; no series where there is no light or no module.",
        series -> {
          int signal = dictionary.ordinal("optics.rx_power_dbm");
          for (Read port : read) {
            for (int lane = 0; lane < port.readings().elements(signal); lane++) {
              series.add(lane(port.id(), lane), port.readings().value(signal, lane));
            }
          }
        });
    gauge(
        "fabric_port_module_temperature_celsius",
        "Temperature of the optical module.",
        "optics.module_temperature_celsius",
        1);
  }

  private void pauses() {
    directed(
        "fabric_port_pfc_pause_frames",
        "PFC pause frames over all priorities; rx: from the peer, tx: to the peer.",
        "pfc.rx_pause_frames",
        "pfc.tx_pause_frames",
        1);
    directed(
        "fabric_port_pfc_pause_seconds",
        "Time that PFC held a priority, added over priorities; rx: by the peer, tx: the peer was.",
        "pfc.rx_pause_microseconds",
        "pfc.tx_pause_microseconds",
        1e-6);
  }

  private void marks() {
    counter(
        "fabric_port_ecn_marked_packets",
        "Packets that the switch marked with congestion experienced, over all queues.",
        "ecn.marked_packets");
    counter(
        "fabric_port_roce_ecn_marked_packets",
        "RoCE packets that arrived at the HCA marked with congestion experienced.",
        "roce.ecn_marked_packets");
    counter(
        "fabric_port_roce_cnp_sent",
        "Congestion notifications that the HCA sent.",
        "roce.cnp_sent");
    counter(
        "fabric_port_roce_out_of_sequence",
        "RoCE packets that arrived out of sequence: a sign of loss.",
        "roce.out_of_sequence");
  }

  private void gauge(String name, String help, String signalId, double factor) {
    int signal = dictionary.ordinal(signalId);
    scrape.gauge(
        name,
        help,
        series -> {
          for (Read port : read) {
            if (port.readings().elements(signal) > 0) {
              series.add(port.labels(), port.readings().value(signal, 0) * factor);
            }
          }
        });
  }

  private void counter(String name, String help, String signalId) {
    int signal = dictionary.ordinal(signalId);
    scrape.counter(
        name,
        help,
        series -> {
          for (Read port : read) {
            series.add(port.labels(), total(port.readings(), signal));
          }
        });
  }

  private void directed(String name, String help, String rxId, String txId, double factor) {
    int rx = dictionary.ordinal(rxId);
    int tx = dictionary.ordinal(txId);
    scrape.counter(
        name,
        help,
        series -> {
          for (Read port : read) {
            series.add(direction(port.id(), "rx"), total(port.readings(), rx) * factor);
            series.add(direction(port.id(), "tx"), total(port.readings(), tx) * factor);
          }
        });
  }

  private static Labels lane(PortId port, int lane) {
    return Labels.of(LANE, new String[] {port.device(), port.port(), Integer.toString(lane)});
  }

  private static Labels direction(PortId port, String direction) {
    return Labels.of(DIRECTION, new String[] {port.device(), port.port(), direction});
  }

  /**
   * Growth over all elements; NaN where the last poll did not read the counter. An element that was
   * not read keeps its part, so that the sum never falls.
   */
  private static double total(PortReadings readings, int signal) {
    if (!readings.isFresh(signal)) {
      return Double.NaN;
    }
    double sum = 0;
    for (int element = 0; element < readings.elements(signal); element++) {
      sum += Unsigned.toDouble(readings.total(signal, element));
    }
    return sum;
  }
}
