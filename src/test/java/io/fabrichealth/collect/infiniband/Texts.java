package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads texts of tools, and finds things in what they tell. */
final class Texts {
  private Texts() {}

  static CollectOutcome read(Format format, String text) {
    return read(format, text.getBytes(StandardCharsets.UTF_8));
  }

  static CollectOutcome read(Format format, byte[] text) {
    try {
      return InfinibandTopology.read(format, new ByteArrayInputStream(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Sighting device(CollectOutcome outcome, String name) {
    return outcome.sightings().stream()
        .filter(sighting -> sighting.device().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is none of " + devices(outcome)));
  }

  static List<String> devices(CollectOutcome outcome) {
    return outcome.sightings().stream().map(Sighting::device).toList();
  }

  static SeenPort port(Sighting device, String name) {
    return device.ports().stream()
        .filter(port -> port.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static Optional<Neighbour> neighbour(Sighting device, String port) {
    return device.neighbours().stream()
        .filter(neighbour -> neighbour.localPort().equals(port))
        .findFirst();
  }

  static List<String> problems(CollectOutcome outcome) {
    return outcome.problems().stream().map(CollectOutcome.Problem::message).toList();
  }
}
