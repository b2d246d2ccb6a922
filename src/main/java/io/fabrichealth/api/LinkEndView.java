package io.fabrichealth.api;

import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.EndsComparison.End;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one end says of a link, not what is planned; null is not said. */
@Schema(description = "what one end says of the link, not what is planned; null is not said")
record LinkEndView(
    String device,
    String port,
    @Nullable Boolean up,
    @Nullable Long speedBitsPerSecond,
    @Nullable Integer lanes,
    @Nullable FecMode fec,
    @Nullable Integer mtu,
    @Schema(description = "by signal; those of all lanes or priorities together")
        Map<String, CounterView> counters) {

  private static final List<String> COUNTERS =
      List.of(
          "port.in_errors",
          "port.out_errors",
          "port.in_discards",
          "port.out_discards",
          "port.link_downed",
          "fec.corrected_codewords",
          "fec.uncorrectable_codewords",
          "fec.symbol_errors",
          "fec.corrected_bits",
          "pfc.rx_pause_frames",
          "pfc.tx_pause_frames",
          "ib.symbol_errors",
          "ib.link_error_recoveries",
          "ib.receive_errors");

  /** A counter as the end gives it. */
  record CounterView(
      @Schema(description = "as last read") BigInteger value,
      @Schema(description = "growth since it was first read, over resets and wraps")
          BigInteger growth,
      @Schema(description = "whether the last pass read it") boolean fresh) {}

  static LinkEndView of(End end, FabricSnapshot snapshot) {
    return new LinkEndView(
        end.port().device(),
        end.port().port(),
        end.up(),
        end.speedBitsPerSecond() == 0 ? null : end.speedBitsPerSecond(),
        end.lanes() == 0 ? null : end.lanes(),
        end.fec() == FecMode.UNKNOWN ? null : end.fec(),
        end.mtu() == 0 ? null : end.mtu(),
        counters(snapshot.readings().get(end.port()), snapshot.dictionary()));
  }

  /** The end by its last readings, and by what its device told of it where those lack something. */
  static End end(PortId port, FabricSnapshot snapshot) {
    Device device = snapshot.fabric().device(port.device());
    SeenPort seen = snapshot.fabric().seen().port(port);
    PortReadings readings = snapshot.readings().get(port);
    double up = read("port.oper_up", readings, snapshot.dictionary());
    double speed = read("port.speed_bits_per_second", readings, snapshot.dictionary());
    double lanes = read("port.width_lanes", readings, snapshot.dictionary());
    double mtu = read("port.mtu_bytes", readings, snapshot.dictionary());
    return new End(
        port,
        device == null ? Role.SWITCH : device.role(),
        speed > 0 ? (long) speed : seen == null ? 0 : seen.speedBitsPerSecond(),
        lanes > 0 ? (int) lanes : seen == null ? 0 : seen.lanes(),
        seen == null ? FecMode.UNKNOWN : seen.fec(),
        mtu > 0 ? (int) mtu : seen == null ? 0 : seen.mtu(),
        Double.isNaN(up) ? null : up != 0);
  }

  /** NaN where the last pass did not read it. */
  private static double read(
      String signal, @Nullable PortReadings readings, SignalDictionary dictionary) {
    int ordinal = dictionary.ordinal(signal);
    return readings == null || !readings.isFresh(ordinal) ? Double.NaN : readings.value(ordinal, 0);
  }

  private static Map<String, CounterView> counters(
      @Nullable PortReadings readings, SignalDictionary dictionary) {
    Map<String, CounterView> counters = new LinkedHashMap<>();
    for (String signal : COUNTERS) {
      int ordinal = dictionary.ordinal(signal);
      BigInteger value = BigInteger.ZERO;
      BigInteger growth = BigInteger.ZERO;
      boolean isKnown = false;
      for (int at = 0; readings != null && at < readings.elements(ordinal); at++) {
        if (readings.quality(ordinal, at).hasValue()) {
          isKnown = true;
          value = value.add(unsigned(readings.raw(ordinal, at)));
          growth = growth.add(unsigned(readings.total(ordinal, at)));
        }
      }
      if (isKnown && readings != null) {
        counters.put(signal, new CounterView(value, growth, readings.isFresh(ordinal)));
      }
    }
    return counters;
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }
}
