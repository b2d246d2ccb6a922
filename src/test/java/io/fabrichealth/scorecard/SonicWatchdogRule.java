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
 * SONiC's PFC watchdog: a queue storms where its packets do not move while the peer has paused it
 * for 99 % of the time. On the switch it looks every few hundred milliseconds; here it sees what
 * the polls hold, so a storm has to fill one whole interval. That the queue holds packets is taken
 * for granted, which only makes it fire more often.
 *
 * <p>Source: pfcwdorch and pfc_detect of sonic-swss, by their description.
 */
final class SonicWatchdogRule extends PeerRule {
  private static final double PAUSED = .99;

  private final int paused;
  private final int queue;
  private final int packets;
  private final Map<String, Instant> polled = new HashMap<>();

  SonicWatchdogRule(SignalDictionary dictionary) {
    super(dictionary);
    paused = dictionary.ordinal("pfc.rx_pause_microseconds");
    queue = dictionary.ordinal("queue.out_packets");
    packets = dictionary.ordinal("port.out_packets");
  }

  @Override
  String name() {
    return "SONiC PFC watchdog";
  }

  @Override
  void poll(PollBatch batch, Consumer<String> alarm) {
    Device device = fabric.device(batch.device());
    if (device == null || device.role() == Role.HOST) {
      return;
    }
    Instant before = polled.put(batch.device(), batch.at());
    double micros = before == null ? 0 : Duration.between(before, batch.at()).toNanos() / 1e3;
    Map<String, Double> moved = new HashMap<>();
    Map<String, Double> pauses = new HashMap<>();
    for (int reading = 0; reading < batch.size(); reading++) {
      if (!batch.quality(reading).hasValue()) {
        continue;
      }
      String port = port(batch, reading);
      int element = batch.element(reading);
      if (batch.signal(reading) == paused) {
        pauses.put(port + "#" + element, growth(port, "paused" + element, batch.raw(reading)));
      } else if (batch.signal(reading) == queue) {
        moved.put(port + "#" + element, growth(port, "queue" + element, batch.raw(reading)));
      } else if (batch.signal(reading) == packets) {
        moved.put(port, growth(port, "packets", batch.raw(reading)));
      }
    }
    pauses.forEach(
        (priority, time) -> {
          String port = priority.substring(0, priority.lastIndexOf('#'));
          double moves = moved.getOrDefault(priority, moved.getOrDefault(port, Double.NaN));
          if (micros > 0 && time > PAUSED * micros && moves == 0) {
            alarm.accept(port);
          }
        });
  }
}
