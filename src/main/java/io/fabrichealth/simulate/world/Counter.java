package io.fabrichealth.simulate.world;

/** A counter of a port, and where its elements stand among all of them. */
enum Counter {
  IN_OCTETS("port.in_octets", 17),
  OUT_OCTETS("port.out_octets", 17),
  IN_PACKETS("port.in_packets", 13.5),
  OUT_PACKETS("port.out_packets", 13.5),
  IN_UNICAST("port.in_unicast_packets", 13.5),
  OUT_UNICAST("port.out_unicast_packets", 13.5),
  IN_ERRORS("port.in_errors", 3),
  OUT_ERRORS("port.out_errors", 3),
  IN_DISCARDS("port.in_discards", 4),
  OUT_DISCARDS("port.out_discards", 4),
  LINK_DOWNED("port.link_downed", 1.3),
  DOWN_MILLISECONDS("port.down_milliseconds", 5),
  TOTAL_CODEWORDS("fec.total_codewords", 0),
  CORRECTED_CODEWORDS("fec.corrected_codewords", 0),
  UNCORRECTABLE_CODEWORDS("fec.uncorrectable_codewords", 0),
  BINS("fec.codewords_by_symbol_errors", 17, 0),
  SYMBOL_ERRORS("fec.symbol_errors", 8, 8),
  CORRECTED_BITS("fec.corrected_bits", 8, 8),
  RX_PAUSE_FRAMES("pfc.rx_pause_frames", 7),
  TX_PAUSE_FRAMES("pfc.tx_pause_frames", 7),
  RX_PAUSE_MICROS("pfc.rx_pause_microseconds", 8),
  TX_PAUSE_MICROS("pfc.tx_pause_microseconds", 8),
  WATCHDOG_STORMS("pfc.watchdog_storms", .5),
  MARKED("ecn.marked_packets", 8),
  QUEUE_PACKETS("queue.out_packets", 13.5),
  QUEUE_DROPPED("queue.dropped_packets", 0),
  CNP_SENT("roce.cnp_sent", 5),
  CNP_HANDLED("roce.cnp_handled", 5),
  ROCE_MARKED("roce.ecn_marked_packets", 5.5),
  OUT_OF_SEQUENCE("roce.out_of_sequence", 4),
  SEQUENCE_ERRORS("roce.packet_sequence_errors", 4),
  IMPLIED_NAKS("roce.implied_nak_sequence_errors", 4),
  ACK_TIMEOUTS("roce.local_ack_timeouts", 3),
  RNR_RETRIES("roce.rnr_nak_retries", 4),
  OUT_OF_BUFFER("roce.out_of_buffer", 4),
  ADAPTIVE_RETRANSMISSIONS("roce.adaptive_retransmissions", 4),
  IB_SYMBOL_ERRORS("ib.symbol_errors", 5),
  IB_RECOVERIES("ib.link_error_recoveries", .5),
  IB_RECEIVE_ERRORS("ib.receive_errors", 1.5),
  IB_REMOTE_ERRORS("ib.receive_remote_physical_errors", 1),
  IB_TRANSMIT_DISCARDS("ib.transmit_discards", 3.5),
  IB_INTEGRITY_ERRORS("ib.local_link_integrity_errors", 0),
  IB_BUFFER_OVERRUNS("ib.buffer_overruns", 0),
  IB_TRANSMIT_WAIT("ib.transmit_wait_ticks", 9.8),
  PLR_RECEIVED("plr.received_codes", 15),
  PLR_RECEIVED_ERRORS("plr.received_code_errors", 3),
  PLR_RETRANSMITTED("plr.retransmitted_codes", 3),
  PLR_EVENTS("plr.retransmission_events", 2.5);

  /** Elements of all counters together. */
  static final int SLOTS = slots();

  private final String signal;
  private final int elements;
  private final double magnitude;
  private int slot;

  Counter(String signal, double magnitude) {
    this(signal, 1, magnitude);
  }

  /**
   * @param magnitude decades that a counter may have reached before the run
   */
  Counter(String signal, int elements, double magnitude) {
    this.signal = signal;
    this.elements = elements;
    this.magnitude = magnitude;
  }

  private static int slots() {
    int slots = 0;
    for (Counter counter : values()) {
      counter.slot = slots;
      slots += counter.elements;
    }
    return slots;
  }

  String signal() {
    return signal;
  }

  int elements() {
    return elements;
  }

  double magnitude() {
    return magnitude;
  }

  int slot() {
    return slot;
  }

  /** Whether it has one value of eight, that of the lossless class. */
  boolean isOfClass() {
    return signal.startsWith("pfc.") || signal.startsWith("queue.") || this == MARKED;
  }
}
