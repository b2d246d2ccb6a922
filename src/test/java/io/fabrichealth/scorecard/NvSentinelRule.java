package io.fabrichealth.scorecard;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * NVSentinel's monitor of HCAs with the limits that it ships: on hosts alone, more than 120 symbol
 * errors in an hour, more than 10 in a second, or a port that is down.
 *
 * <p>Source: its documentation and issues. It does not read switches, pause frames or FEC.
 */
final class NvSentinelRule extends PeerRule {
  private static final double AN_HOUR = 120;
  private static final double A_SECOND = 10;
  private static final Duration HOUR = Duration.ofHours(1);

  private final int symbols;
  private final int oper;
  private final Map<String, Instant> polled = new HashMap<>();
  private final Map<String, Instant> hours = new HashMap<>();
  private final Map<String, Double> inHour = new HashMap<>();

  NvSentinelRule(SignalDictionary dictionary) {
    super(dictionary);
    symbols = dictionary.ordinal("ib.symbol_errors");
    oper = dictionary.ordinal("port.oper_up");
  }

  @Override
  String name() {
    return "NVSentinel";
  }

  @Override
  void poll(PollBatch batch, Consumer<String> alarm) {
    Device device = fabric.device(batch.device());
    if (device == null || device.role() != Role.HOST) {
      return;
    }
    Instant before = polled.put(batch.device(), batch.at());
    double seconds = before == null ? 0 : Duration.between(before, batch.at()).toNanos() / 1e9;
    for (int reading = 0; reading < batch.size(); reading++) {
      if (!batch.quality(reading).hasValue()) {
        continue;
      }
      String port = port(batch, reading);
      if (batch.signal(reading) == oper && value(batch, reading) == 0) {
        alarm.accept(port);
      } else if (batch.signal(reading) == symbols) {
        double grown = growth(port, "symbols", batch.raw(reading));
        if (grown > 0 && isTooMany(port, grown, seconds, batch.at())) {
          alarm.accept(port);
        }
      }
    }
  }

  private boolean isTooMany(String port, double grown, double seconds, Instant at) {
    Instant begun = hours.computeIfAbsent(port, unknown -> at);
    if (!at.isBefore(begun.plus(HOUR))) {
      hours.put(port, at);
      inHour.put(port, 0.0);
    }
    double hour = inHour.merge(port, grown, Double::sum);
    return hour > AN_HOUR || seconds > 0 && grown / seconds > A_SECOND;
  }
}
