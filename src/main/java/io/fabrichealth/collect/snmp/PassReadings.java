package io.fabrichealth.collect.snmp;

import io.fabrichealth.signal.PollBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The readings of one pass as they are collected, and where each port's come from. */
final class PassReadings {
  private static final int NO_PORT = -1;

  private final PollBatch.Builder batch;
  private final PortTable ports;
  private final Map<String, PortSources> known;
  private final long pass;
  private final int[] widths;
  private final List<PortSources> sources = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Set<Integer> unknownRows = new HashSet<>();

  /**
   * @param known sources of every port that was ever read; ports that are new are entered
   * @param signals in the dictionary
   */
  PassReadings(
      PollBatch.Builder batch,
      PortTable ports,
      Map<String, PortSources> known,
      long pass,
      int signals) {
    this.batch = batch;
    this.ports = ports;
    this.known = known;
    this.pass = pass;
    widths = new int[signals];
  }

  PollBatch.Builder batch() {
    return batch;
  }

  /** The row's port in the batch; negative where the row is no port. */
  int port(int ifIndex) {
    String name = ports.port(ifIndex);
    if (name == null) {
      if (!ports.knows(ifIndex)) {
        unknownRows.add(ifIndex);
      }
      return NO_PORT;
    }
    return port(name);
  }

  int port(String name) {
    int index = batch.port(name);
    if (index == sources.size()) {
      names.add(name);
      sources.add(known.computeIfAbsent(name, key -> new PortSources(widths.length)));
    }
    return index;
  }

  /** Whether the port's signal is to be read from there. */
  boolean accepts(int port, MappedReading reading) {
    return accepts(port, reading.signal(), reading.group(), reading.rank(), reading.counter());
  }

  boolean accepts(int port, int signal, int group, int rank, boolean counter) {
    return sources.get(port).accepts(signal, group, rank, counter, pass);
  }

  void discontinuity(int port, long ticks) {
    sources.get(port).discontinuityTicks(ticks);
  }

  /** A counter's width on the wire; where several differ, the narrowest counts. */
  void width(int signal, int bits, int usual) {
    if (widths[signal] == 0 || bits < widths[signal]) {
      widths[signal] = bits;
      if (bits != usual) {
        batch.counterBits(signal, bits);
      }
    }
  }

  /** Rows that came up and are not in the inventory. */
  Set<Integer> unknownRows() {
    return unknownRows;
  }

  /** Writes down which ports' counters began anew. */
  void finish() {
    for (int port = 0; port < sources.size(); port++) {
      String identity = sources.get(port).discontinuity();
      if (identity != null) {
        batch.discontinuity(names.get(port), identity);
      }
    }
  }
}
