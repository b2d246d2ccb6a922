package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads an agent that has more to say than fits into an interval. */
class ManyInterfacesTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final SnmpMapping MAPPING = SnmpMapping.load(DICTIONARY);

  private Instant now = Instant.parse("2026-02-01T04:00:00Z");
  private FakeAgent agent;
  private SnmpSession session;

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent();
    session = SnmpSession.open();
  }

  @AfterEach
  void stop() throws IOException {
    session.close();
    agent.close();
  }

  @Test
  void an_agent_with_more_interfaces_than_its_interval_holds_is_read_to_the_last_one()
      throws Exception {
    agent.ports(1, 20_000);
    agent.thinks = Duration.ofMillis(2);
    SnmpTarget often =
        new SnmpTarget(
            "leaf1",
            Role.LEAF,
            "127.0.0.1",
            agent.port(),
            Duration.ofMillis(500),
            Duration.ofMillis(300),
            new SnmpTarget.Community("public"),
            null);
    try (SnmpCollector impatient =
        new SnmpCollector(often, session, DICTIONARY, MAPPING, () -> now)) {
      CollectOutcome first = impatient.collect(now.plus(impatient.interval()));
      assertThat(first.batch().complete()).isFalse();
      assertThat(first.problems()).extracting(Problem::code).containsOnly(FailureCode.PARTIAL);

      CollectOutcome last = first;
      for (int pass = 0; pass < 12 && !last.batch().complete(); pass++) {
        now = now.plus(impatient.interval());
        last = impatient.collect(now.plus(impatient.interval()));
      }

      assertThat(last.problems()).isEmpty();
      assertThat(last.batch().ports()).hasSizeGreaterThanOrEqualTo(20_000);
      assertThat(new Readings(last.batch()).counter("Ethernet20000", "port.in_octets", 0))
          .isEqualTo(20_000_006);
      assertThat(impatient.interval()).isGreaterThan(Duration.ofMillis(500));
      assertThat(last.remarks()).anyMatch(remark -> remark.contains("more to say than fits"));
    }
  }
}
