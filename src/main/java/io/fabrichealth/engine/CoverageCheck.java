package io.fabrichealth.engine;

import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which of the signals that detection lives on are read of a port. */
final class CoverageCheck {
  /** One group a line: any of its signals will do. The first group is the state. */
  private static final List<List<String>> GROUPS =
      List.of(
          List.of("port.oper_up"),
          List.of("port.in_octets"),
          List.of("port.in_errors", "ib.receive_errors"),
          List.of("port.in_discards", "port.out_discards", "ib.transmit_discards"),
          List.of("fec.uncorrectable_codewords", "ib.symbol_errors", "fec.post_fec_ber"),
          List.of(
              "fec.codewords_by_symbol_errors",
              "fec.corrected_bits",
              "fec.symbol_errors",
              "fec.corrected_codewords",
              "fec.lane_pre_fec_ber",
              "fec.pre_fec_ber"),
          List.of("pfc.rx_pause_microseconds", "pfc.rx_pause_frames"),
          List.of("ecn.marked_packets", "roce.ecn_marked_packets", "roce.cnp_sent"));

  private static final List<String> ERRORS =
      List.of(
          "port.in_errors",
          "port.out_errors",
          "port.in_discards",
          "port.out_discards",
          "fec.uncorrectable_codewords",
          "fec.corrected_bits",
          "fec.symbol_errors",
          "fec.codewords_by_symbol_errors",
          "fec.pre_fec_ber",
          "ib.symbol_errors",
          "ib.receive_errors");

  private final int[][] groups;
  private final int[] errors;
  private final int state;

  CoverageCheck(SignalDictionary dictionary) {
    groups =
        GROUPS.stream()
            .map(group -> group.stream().mapToInt(dictionary::ordinal).toArray())
            .toArray(int[][]::new);
    errors = ERRORS.stream().mapToInt(dictionary::ordinal).toArray();
    state = dictionary.ordinal("port.oper_up");
  }

  int groups() {
    return groups.length;
  }

  /** Whether the device has a state for the port at all. */
  boolean hasState(SignalWindow port) {
    return isSupported(port, state);
  }

  boolean isStateRead(SignalWindow port) {
    return port.isFresh(state);
  }

  boolean isUp(SignalWindow port) {
    return port.value(state, 0) > 0;
  }

  /** Whether none of the error counters that the port supports was read in the last poll. */
  boolean lacksErrors(SignalWindow port) {
    boolean supported = false;
    for (int signal : errors) {
      if (isSupported(port, signal)) {
        supported = true;
        if (port.isFresh(signal)) {
          return false;
        }
      }
    }
    return supported;
  }

  /** The groups of which something was read in the last poll, one bit each. */
  int read(SignalWindow port) {
    int bits = 0;
    for (int group = 0; group < groups.length; group++) {
      bits |= isRead(port, groups[group]) ? 1 << group : 0;
    }
    return bits;
  }

  /** Number of groups of which something was read; what is missing goes into the list. */
  int count(PortId id, @Nullable SignalWindow port, List<String> missing) {
    int read = 0;
    for (int group = 0; group < groups.length; group++) {
      if (port != null && isRead(port, groups[group])) {
        read++;
      } else {
        String why = port == null ? "NOT_READ" : reason(port, groups[group]);
        missing.add(id.id() + " " + GROUPS.get(group).getFirst() + " " + why);
      }
    }
    return read;
  }

  private static boolean isRead(SignalWindow port, int[] group) {
    for (int signal : group) {
      if (port.isFresh(signal)) {
        return true;
      }
    }
    return false;
  }

  private static String reason(SignalWindow port, int[] group) {
    List<String> reasons = new ArrayList<>();
    for (int signal : group) {
      Quality quality = port.quality(signal, 0);
      if (quality == Quality.UNREADABLE) {
        return "UNREADABLE(" + port.reason(signal, 0) + ")";
      }
      if (quality != Quality.UNSUPPORTED) {
        reasons.add(Quality.STALE.name());
      }
    }
    return reasons.isEmpty() ? Quality.UNSUPPORTED.name() : reasons.getFirst();
  }

  private static boolean isSupported(SignalWindow port, int signal) {
    for (int element = 0; element < port.elements(signal); element++) {
      if (port.quality(signal, element) != Quality.UNSUPPORTED) {
        return true;
      }
    }
    return false;
  }
}
