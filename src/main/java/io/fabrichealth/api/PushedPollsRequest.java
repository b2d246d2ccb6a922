package io.fabrichealth.api;

import io.fabrichealth.capture.InvalidPollException;
import io.fabrichealth.capture.PollBatchJson;
import io.fabrichealth.capture.PollRead;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;

/** The polls of one body, and what of it cannot be used. Built while the body comes in. */
final class PushedPollsRequest {
  private static final RecordsRequest BODIES = new RecordsRequest(8L << 20);
  private static final Duration OLDEST = Duration.ofHours(1);
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final SignalDictionary dictionary;
  private final List<PollBatch> batches = new ArrayList<>();
  private final RefusedProblems refused = new RefusedProblems();

  private PushedPollsRequest(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  /**
   * Reads a body.
   *
   * @throws ApiProblem where it is no JSON, or larger than allowed; nothing of it is taken then
   * @throws IOException where it does not come in whole
   */
  static PushedPollsRequest read(InputStream body, PollBatchJson json, Instant now)
      throws IOException {
    PushedPollsRequest polls = new PushedPollsRequest(json.dictionary());
    BODIES.read(body, (in, pointer) -> polls.read(in, json, now, pointer));
    return polls;
  }

  private void read(JsonParser in, PollBatchJson json, Instant now, String pointer) {
    try {
      PollRead read = json.read(in);
      read.refusals().forEach(each -> refused.add(each.pointer(), each.problem()));
      refused.addUntold(read.refused() - read.refusals().size());
      PollBatch batch = read.batch();
      if (batch.at().isBefore(now.minus(OLDEST)) || batch.at().isAfter(now.plus(AHEAD))) {
        refused.add(
            pointer + "/at",
            "of device '%s' must be within the last hour of the service's clock, which is %s"
                .formatted(batch.device(), now));
      } else if (batch.size() == 0 && batch.complete()) {
        refused.add(
            pointer.isEmpty() ? "/ports" : pointer + "/ports",
            "of device '%s' holds no reading that can be used".formatted(batch.device()));
      } else {
        batches.add(batch);
      }
    } catch (InvalidPollException e) {
      refused.add(
          e.field().isEmpty() ? pointer : pointer + "/" + e.field(),
          "%smust be %s"
              .formatted(
                  e.device() == null ? "" : "of device '" + e.device() + "' ", e.expected()));
    }
  }

  List<PollBatch> batches() {
    return batches;
  }

  RefusedProblems refused() {
    return refused;
  }

  /**
   * What the polls bring, in their order; in one outcome a device has one poll.
   *
   * @param role of devices that the fabric does not know
   */
  List<CollectOutcome> outcomes(Fabric fabric, Role role) {
    List<List<PollBatch>> rounds = new ArrayList<>();
    Map<String, Integer> polls = new HashMap<>();
    for (PollBatch batch : batches) {
      int round = polls.merge(batch.device(), 1, Integer::sum) - 1;
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(batch);
    }
    return rounds.stream()
        .map(
            round ->
                new CollectOutcome(
                    round,
                    round.stream().map(batch -> sighting(batch, fabric, role)).toList(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()))
        .toList();
  }

  /** The device and its ports, as far as readings tell them. */
  private Sighting sighting(PollBatch batch, Fabric fabric, Role unknown) {
    Device known = fabric.device(batch.device());
    long[] speeds = new long[batch.ports().size()];
    int[] mtus = new int[speeds.length];
    boolean[] down = new boolean[speeds.length];
    int speed = dictionary.ordinal("port.speed_bits_per_second");
    int mtu = dictionary.ordinal("port.mtu_bytes");
    int admin = dictionary.ordinal("port.admin_up");
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.quality(reading).hasValue()) {
        int port = batch.portIndex(reading);
        int signal = batch.signal(reading);
        if (signal == speed) {
          speeds[port] = (long) batch.value(reading);
        } else if (signal == mtu) {
          mtus[port] = (int) batch.value(reading);
        } else if (signal == admin) {
          down[port] = batch.value(reading) == 0;
        }
      }
    }
    List<SeenPort> ports = new ArrayList<>();
    for (int port = 0; port < speeds.length; port++) {
      String name = batch.ports().get(port);
      if (!name.equals(PollBatch.DEVICE)) {
        ports.add(new SeenPort(name, speeds[port], mtus[port], !down[port], List.of()));
      }
    }
    Role role = known == null ? unknown : known.role();
    return new Sighting(batch.device(), role, null, null, List.of(), ports, List.of(), false);
  }
}
