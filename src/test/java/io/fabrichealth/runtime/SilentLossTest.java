package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Recordings that {@code record} made of a leaf-spine fabric of network namespaces with real agents
 * and traffic (4 leaves, 2 spines, 8 hosts), read over SNMP alone. What was lost, no counter says.
 */
class SilentLossTest {

  @Test
  void a_spine_that_drops_one_packet_in_a_thousand_is_named_within_five_minutes() throws Exception {
    List<Incident> incidents = replay("lab-silent-loss-in-a-spine.ndjson.gz");

    assertThat(incidents).singleElement().satisfies(SilentLossTest::isOfTheSpine);
    assertThat(incidents.getFirst().openedAt())
        .isBetween(Instant.parse("2026-11-30T13:49:51Z"), Instant.parse("2026-11-30T13:54:51Z"));
  }

  private static void isOfTheSpine(Incident incident) {
    assertThat(incident.cause()).isEqualTo(Cause.SWITCH_PACKET_LOSS);
    assertThat(incident.subject().type()).isEqualTo(SubjectType.SWITCH);
    assertThat(incident.subject().id()).isEqualTo("spine1");
  }

  @Test
  void a_wire_that_loses_one_packet_in_a_thousand_is_named_within_35_minutes() throws Exception {
    List<Incident> incidents = replay("lab-silent-loss-on-a-wire.ndjson.gz");

    assertThat(incidents).singleElement().satisfies(SilentLossTest::isOfTheWire);
    assertThat(incidents.getFirst().openedAt())
        .isBetween(Instant.parse("2026-11-30T14:03:10Z"), Instant.parse("2026-11-30T14:38:10Z"));
  }

  private static void isOfTheWire(Incident incident) {
    assertThat(incident.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(incident.subject().id()).isEqualTo("leaf3:Ethernet50--spine2:Ethernet3");
  }

  @Test
  void an_hour_of_the_healthy_fabric_gives_nothing() throws Exception {
    assertThat(replay("lab-healthy-hour.ndjson.gz")).isEmpty();
  }

  private static List<Incident> replay(String recording) throws Exception {
    Replay replay = new Replay(Replay.engine(ThresholdCatalogue.load()));
    InputStream in =
        Objects.requireNonNull(SilentLossTest.class.getResourceAsStream(recording), recording);
    try (CaptureReader reader = CaptureReader.open(in, recording, SignalCatalogue.load())) {
      for (EngineInput input = reader.next(); input != null; input = reader.next()) {
        replay.take(input);
      }
    }
    assertThat(replay.outcome().detectorFaults()).isZero();
    return replay.outcome().incidents();
  }
}
