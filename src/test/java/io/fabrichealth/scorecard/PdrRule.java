package io.fabrichealth.scorecard;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * UFM's plugin PDR-deterministic with its shipped settings: every 300 s a port is isolated whose
 * packet drop rate is above 1e-12 (where its counter of errors was not zero before), whose module
 * is above 70 C or has warmed by 10 C, or whose link-down counter rose together with that of the
 * other end. Bit error rates are compared, as rates, with limits that are counts (2.88 in 12
 * minutes and 3 in 125), so they never isolate anything.
 *
 * <p>Source: README and configuration of Mellanox/ufm_sdk_3.0, and what running it showed.
 */
final class PdrRule extends PeerRule {
  private static final Duration INTERVAL = Duration.ofSeconds(300);
  private static final double MAX_PDR = 1e-12;
  private static final double MAX_TEMPERATURE = 70;
  private static final double MAX_TEMPERATURE_RISE = 10;
  private static final double COUNT_OF_12_MINUTES = 2.88;

  private final int errors;
  private final int packets;
  private final int temperature;
  private final int downs;
  private final int symbols;
  private final int speed;
  private final Map<String, Instant> looked = new HashMap<>();
  private final Map<String, Double> temperatures = new HashMap<>();
  private final Map<String, Instant> wentDown = new HashMap<>();

  PdrRule(SignalDictionary dictionary) {
    super(dictionary);
    errors = dictionary.ordinal("port.in_errors");
    packets = dictionary.ordinal("port.in_packets");
    temperature = dictionary.ordinal("optics.module_temperature_celsius");
    downs = dictionary.ordinal("port.link_downed");
    symbols = dictionary.ordinal("ib.symbol_errors");
    speed = dictionary.ordinal("port.speed_bits_per_second");
  }

  @Override
  String name() {
    return "UFM PDR plugin";
  }

  /** What one look sees of a port. */
  private static final class Seen {
    double errors = Double.NaN;
    boolean hadErrors;
    double packets = Double.NaN;
    double symbols = Double.NaN;
    double speed = Double.NaN;
    double downs = Double.NaN;
    double temperature = Double.NaN;
  }

  @Override
  void poll(PollBatch batch, Consumer<String> alarm) {
    Instant before = looked.get(batch.device());
    if (before != null && batch.at().isBefore(before.plus(INTERVAL))) {
      return;
    }
    looked.put(batch.device(), batch.at());
    Map<String, Seen> ports = new HashMap<>();
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.quality(reading).hasValue()) {
        Seen seen = ports.computeIfAbsent(port(batch, reading), port -> new Seen());
        read(batch, reading, seen);
      }
    }
    ports.forEach((port, seen) -> judge(port, seen, batch.at(), alarm));
  }

  private void read(PollBatch batch, int reading, Seen seen) {
    int signal = batch.signal(reading);
    String port = port(batch, reading);
    if (signal == errors) {
      seen.hadErrors = last(port, "errors") != 0;
      seen.errors = growth(port, "errors", batch.raw(reading));
    } else if (signal == packets) {
      seen.packets = growth(port, "packets", batch.raw(reading));
    } else if (signal == downs) {
      seen.downs = growth(port, "downs", batch.raw(reading));
    } else if (signal == symbols) {
      seen.symbols = growth(port, "symbols", batch.raw(reading));
    } else if (signal == speed) {
      seen.speed = value(batch, reading);
    } else if (signal == temperature) {
      seen.temperature = value(batch, reading);
    }
  }

  private void judge(String port, Seen seen, Instant at, Consumer<String> alarm) {
    boolean drops = seen.hadErrors && seen.packets > 0 && seen.errors / seen.packets > MAX_PDR;
    double ratio = seen.symbols / (seen.speed * INTERVAL.toSeconds());
    boolean bits = ratio > COUNT_OF_12_MINUTES;
    double cooler = temperatures.getOrDefault(port, Double.NaN);
    temperatures.put(port, seen.temperature);
    boolean hot =
        seen.temperature > MAX_TEMPERATURE || seen.temperature - cooler > MAX_TEMPERATURE_RISE;
    if (seen.downs > 0) {
      wentDown.put(port, at);
    }
    if (drops || bits || hot || seen.downs > 0 && isDownAtPeer(port, at)) {
      alarm.accept(port);
    }
  }

  private boolean isDownAtPeer(String port, Instant at) {
    for (Link link : fabric.links()) {
      for (PortId end : link.ends()) {
        if (end.id().equals(port)) {
          PortId peer = link.peerOf(end);
          Instant other = peer == null ? null : wentDown.get(peer.id());
          return other != null
              && Objects.requireNonNull(other).isAfter(at.minus(INTERVAL.multipliedBy(2)));
        }
      }
    }
    return false;
  }
}
