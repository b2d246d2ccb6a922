package io.fabrichealth.simulate.world;

import static io.fabrichealth.simulate.world.Counter.*;
import static io.fabrichealth.simulate.world.Gauge.*;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a kind of device tells of its ports, and how: no two vendors give the same.
 *
 * @param bits widths of counters other than the dictionary's
 * @param declaresBits whether the plan names these widths
 * @param bins elements of the histogram
 * @param decibelStep to which light is rounded
 * @param hasDeviceTime whether it says by its own clock when it was read
 * @param copySeconds age that the copy which it answers from may have
 */
record Reporting(
    String vendor,
    String model,
    String collector,
    List<Counter> counters,
    List<Gauge> gauges,
    Map<Counter, Integer> bits,
    boolean declaresBits,
    int bins,
    double decibelStep,
    boolean hasDeviceTime,
    double copySeconds) {
  private static final int KP4_BINS = 16;
  private static final Map<Counter, Integer> AS_IN_THE_DICTIONARY = new EnumMap<>(Counter.class);

  private static final List<Counter> TRAFFIC =
      List.of(
          IN_OCTETS,
          IN_PACKETS,
          OUT_OCTETS,
          OUT_PACKETS,
          IN_ERRORS,
          OUT_ERRORS,
          IN_DISCARDS,
          OUT_DISCARDS,
          LINK_DOWNED);
  private static final List<Counter> CODEWORDS =
      List.of(TOTAL_CODEWORDS, CORRECTED_CODEWORDS, UNCORRECTABLE_CODEWORDS);
  private static final List<Counter> PAUSE_FRAMES = List.of(RX_PAUSE_FRAMES, TX_PAUSE_FRAMES);
  private static final List<Counter> PAUSE_TIME = List.of(RX_PAUSE_MICROS, TX_PAUSE_MICROS);
  private static final List<Counter> QUEUES = List.of(MARKED, QUEUE_PACKETS, QUEUE_DROPPED);
  private static final List<Counter> TRANSPORT =
      List.of(
          CNP_SENT,
          CNP_HANDLED,
          ROCE_MARKED,
          OUT_OF_SEQUENCE,
          SEQUENCE_ERRORS,
          IMPLIED_NAKS,
          ACK_TIMEOUTS,
          RNR_RETRIES,
          OUT_OF_BUFFER,
          ADAPTIVE_RETRANSMISSIONS);
  private static final List<Counter> PMA =
      List.of(
          IB_SYMBOL_ERRORS,
          IB_RECOVERIES,
          IB_RECEIVE_ERRORS,
          IB_REMOTE_ERRORS,
          IB_TRANSMIT_DISCARDS,
          IB_INTEGRITY_ERRORS,
          IB_BUFFER_OVERRUNS,
          IB_TRANSMIT_WAIT);
  private static final List<Counter> RETRANSMISSION =
      List.of(PLR_RECEIVED, PLR_RECEIVED_ERRORS, PLR_RETRANSMITTED, PLR_EVENTS);

  private static final List<Gauge> STATE = List.of(OPER_UP, ADMIN_UP, SPEED, WIDTH);
  private static final List<Gauge> WHOLE_MODULE =
      List.of(RX_POWER, MODULE_TEMPERATURE, TX_POWER, TX_BIAS, MODULE_VOLTAGE);
  private static final List<Gauge> PCIE = List.of(PCIE_WIDTH, PCIE_SPEED);

  /** Histogram of 16 bins, all of the module, no time of pauses. */
  static final Reporting SONIC =
      new Reporting(
          "Edgecore",
          "AS9736-64D",
          "gnmi",
          all(
              TRAFFIC,
              List.of(DOWN_MILLISECONDS, BINS),
              CODEWORDS,
              PAUSE_FRAMES,
              List.of(WATCHDOG_STORMS),
              QUEUES),
          all(STATE, List.of(MTU, WATERMARK), WHOLE_MODULE),
          AS_IN_THE_DICTIONARY,
          false,
          KP4_BINS,
          .01,
          true,
          0);

  /** Histogram with a last bin of what was beyond repair, bits by lane, time of pauses. */
  static final Reporting SPECTRUM =
      new Reporting(
          "NVIDIA",
          "SN5600",
          "gnmi",
          all(
              TRAFFIC,
              List.of(DOWN_MILLISECONDS, BINS),
              CODEWORDS,
              List.of(CORRECTED_BITS),
              PAUSE_FRAMES,
              PAUSE_TIME,
              QUEUES),
          all(STATE, List.of(MTU, PRE_FEC_BER, WATERMARK, SNR), WHOLE_MODULE),
          AS_IN_THE_DICTIONARY,
          false,
          KP4_BINS + 1,
          .1,
          true,
          0);

  /** Totals and symbols by lane over SNMP; answers from a copy, errors of 32 bits. */
  static final Reporting EOS =
      new Reporting(
          "Arista",
          "7060DX5-64S",
          "snmp",
          all(
              TRAFFIC,
              List.of(IN_UNICAST, OUT_UNICAST),
              CODEWORDS,
              List.of(SYMBOL_ERRORS),
              PAUSE_FRAMES,
              QUEUES),
          all(STATE, List.of(MTU, RX_POWER, MODULE_TEMPERATURE, WATERMARK)),
          narrow(IN_ERRORS, OUT_ERRORS, IN_DISCARDS, OUT_DISCARDS),
          true,
          0,
          .01,
          false,
          3);

  /** Totals and the device's own bit error ratios; packets of 32 bits, which nothing says. */
  static final Reporting JUNOS =
      new Reporting(
          "Juniper",
          "QFX5240-64OD",
          "snmp",
          all(TRAFFIC, CODEWORDS, PAUSE_FRAMES),
          all(STATE, List.of(PRE_FEC_BER, LANE_BER), WHOLE_MODULE),
          narrow(IN_PACKETS, OUT_PACKETS),
          false,
          0,
          .01,
          true,
          0);

  /** Nothing of codewords but a bit error ratio. */
  static final Reporting GAUGE_ONLY =
      new Reporting(
          "Cisco",
          "N9364E-SG2",
          "snmp",
          all(TRAFFIC, PAUSE_FRAMES),
          all(STATE, List.of(MTU, PRE_FEC_BER, POST_FEC_BER, RX_POWER, MODULE_TEMPERATURE)),
          narrow(IN_ERRORS, OUT_ERRORS),
          true,
          0,
          .01,
          false,
          1);

  /** An HCA whose host has ethtool's and the driver's counters. */
  static final Reporting HCA =
      new Reporting(
          "NVIDIA",
          "MT4129",
          "prometheus",
          all(
              TRAFFIC,
              List.of(DOWN_MILLISECONDS),
              CODEWORDS,
              List.of(CORRECTED_BITS),
              PAUSE_FRAMES,
              PAUSE_TIME,
              TRANSPORT),
          all(STATE, List.of(MTU), PCIE, List.of(RX_POWER, MODULE_TEMPERATURE)),
          AS_IN_THE_DICTIONARY,
          false,
          0,
          .1,
          true,
          0);

  /** An HCA that says little of its physical layer. */
  static final Reporting PLAIN_HCA =
      new Reporting(
          "NVIDIA",
          "MT4129",
          "prometheus",
          all(
              TRAFFIC,
              List.of(DOWN_MILLISECONDS, UNCORRECTABLE_CODEWORDS),
              PAUSE_FRAMES,
              TRANSPORT),
          all(STATE, PCIE),
          AS_IN_THE_DICTIONARY,
          false,
          0,
          .1,
          false,
          0);

  /** A port of an InfiniBand switch, or of an HCA that the subnet manager reads. */
  static final Reporting QUANTUM =
      new Reporting(
          "NVIDIA",
          "MQM9700",
          "infiniband",
          all(
              List.of(IN_OCTETS, IN_PACKETS, OUT_OCTETS, OUT_PACKETS, LINK_DOWNED),
              CODEWORDS,
              List.of(CORRECTED_BITS),
              PMA,
              RETRANSMISSION),
          all(STATE, List.of(PRE_FEC_BER, POST_FEC_BER), WHOLE_MODULE),
          AS_IN_THE_DICTIONARY,
          false,
          0,
          .01,
          false,
          0);

  /** The few counters that every device has. */
  static final Reporting COUNTERS =
      new Reporting(
          "NVIDIA",
          "SN5600",
          "gnmi",
          all(TRAFFIC, CODEWORDS, PAUSE_TIME, List.of(MARKED)),
          all(STATE, List.of(MTU)),
          AS_IN_THE_DICTIONARY,
          false,
          0,
          .1,
          true,
          0);

  static final List<Reporting> SWITCHES = List.of(SONIC, EOS, SPECTRUM, JUNOS, GAUGE_ONLY);

  @SafeVarargs
  private static <T> List<T> all(List<T>... parts) {
    List<T> all = new ArrayList<>();
    for (List<T> part : parts) {
      all.addAll(part);
    }
    return List.copyOf(all);
  }

  private static Map<Counter, Integer> narrow(Counter... counters) {
    Map<Counter, Integer> bits = new EnumMap<>(Counter.class);
    for (Counter counter : counters) {
      bits.put(counter, Integer.SIZE);
    }
    return bits;
  }

  /** The same kind of device, spoken of under a host's model. */
  Reporting asHca() {
    return new Reporting(
        vendor,
        "MT4129",
        collector,
        counters,
        all(gauges, PCIE),
        bits,
        declaresBits,
        bins,
        decibelStep,
        hasDeviceTime,
        copySeconds);
  }

  boolean tells(Counter counter) {
    return counters.contains(counter);
  }

  boolean tells(Gauge gauge) {
    return gauges.contains(gauge);
  }

  /** Whether errors before correction can be told from what it gives. */
  boolean tellsErrorsBeforeCorrection() {
    return tells(CORRECTED_CODEWORDS) || tells(PRE_FEC_BER);
  }
}
