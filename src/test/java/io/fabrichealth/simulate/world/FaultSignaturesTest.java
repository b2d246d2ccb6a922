package io.fabrichealth.simulate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a fault does to the counters of what it is at. */
class FaultSignaturesTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final int LANES = 8;

  private record Run(Truth truth, List<EngineInput> inputs) {
    Truth.Fault fault() {
      return truth.faults().getFirst();
    }

    /**
     * Growth of all elements of a counter of a port from the first poll after a time to the last.
     */
    double growth(String port, String signal, Instant from, Instant to) {
      int ordinal = DICTIONARY.ordinal(signal);
      String device = port.substring(0, port.indexOf(':'));
      String name = port.substring(port.indexOf(':') + 1);
      double first = Double.NaN;
      double last = Double.NaN;
      for (PollBatch batch : polls(device)) {
        if (batch.at().isBefore(from) || batch.at().isAfter(to) || batch.size() == 0) {
          continue;
        }
        double sum = 0;
        for (int i = 0; i < batch.size(); i++) {
          if (batch.signal(i) == ordinal && batch.ports().get(batch.portIndex(i)).equals(name)) {
            sum += batch.raw(i);
          }
        }
        first = Double.isNaN(first) ? sum : first;
        last = sum;
      }
      return last - first;
    }

    List<PollBatch> polls(String device) {
      List<PollBatch> polls = new ArrayList<>();
      for (EngineInput input : inputs) {
        if (input instanceof EngineInput.Poll poll && poll.batch().device().equals(device)) {
          polls.add(poll.batch());
        }
      }
      polls.sort(Comparator.comparing(PollBatch::at));
      return polls;
    }

    double last(String port, String signal) {
      int ordinal = DICTIONARY.ordinal(signal);
      String name = port.substring(port.indexOf(':') + 1);
      double last = Double.NaN;
      for (PollBatch batch : polls(port.substring(0, port.indexOf(':')))) {
        for (int i = 0; i < batch.size(); i++) {
          if (batch.signal(i) == ordinal && batch.ports().get(batch.portIndex(i)).equals(name)) {
            last = batch.value(i);
          }
        }
      }
      return last;
    }

    Instant start() {
      return Scenario.START;
    }

    Instant end() {
      return Scenario.START.plusSeconds((long) truth.seconds());
    }

    String parameter(String name) {
      return String.valueOf(fault().parameters().get(name));
    }
  }

  private static Run run(int faultClass, Severity severity, long seed) {
    Scenario scenario =
        Scenario.of("F1-part", faultClass, severity, seed)
            .with(Duration.ofMinutes(30), Duration.ofSeconds(15));
    return run(scenario);
  }

  private static Run run(Scenario scenario) {
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    List<EngineInput> inputs = new ArrayList<>();
    for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
      inputs.add(input);
    }
    return new Run(simulation.truth(), inputs);
  }

  @Test
  void a_drifting_lane_is_beyond_repair_in_the_end_and_not_before() {
    Run run = run(1, Severity.MEDIUM, 4);
    String port = run.parameter("receiver");
    Instant first = Instant.parse(run.parameter("firstUncorrectable"));

    String signal = "fec.uncorrectable_codewords";
    Instant before = first.minusSeconds(120);
    assertThat(run.growth(port, signal, run.start(), before)).isLessThan(2);
    assertThat(run.growth(port, signal, first, run.end())).isGreaterThan(100);
  }

  @Test
  void visible_loss_is_as_large_as_it_was_wanted() {
    Run run = run(3, Severity.HIGH, 5);
    String port = run.parameter("receiver");
    Instant from = run.fault().observableFrom();

    double errors = run.growth(port, "port.in_errors", from, run.end());
    double octets = run.growth(port, "port.in_octets", from, run.end());
    assertThat(errors / (octets / Traffic.LARGE_OCTETS)).isBetween(3e-4, 3e-3);
    assertThat(run.growth(port, "port.in_errors", run.start(), run.fault().onset())).isLessThan(2);
  }

  @Test
  void a_flap_is_counted_and_seen_at_both_ends() {
    Run run = run(4, Severity.HIGH, 6);
    int outages =
        ((List<?>) Objects.requireNonNull(run.fault().parameters().get("downSeconds"))).size();

    for (Truth.Subject end : run.fault().aliases()) {
      double downs = run.growth(end.id(), "port.link_downed", run.start(), run.end());
      assertThat(downs).as(end.id()).isBetween(outages - 1.0, (double) outages);
    }
    assertThat(run.inputs())
        .anySatisfy(i -> assertThat(i).isInstanceOf(EngineInput.Maintenance.class));
  }

  @Test
  void a_slow_receiver_is_paused_by_the_time_that_was_wanted() {
    Run run = run(6, Severity.MEDIUM, 9);
    String port = run.parameter("port");
    Instant from = run.fault().observableFrom();
    double frames = run.growth(port, "pfc.tx_pause_frames", from, run.end());
    double seconds = Duration.between(from, run.end()).toSeconds();

    assertThat(frames * 50 / 1e6 / seconds).isCloseTo(.75, within(.05));
    assertThat(run.growth(port, "roce.out_of_buffer", from, run.end())).isGreaterThan(10_000);
  }

  @Test
  void in_a_deadlock_nothing_moves_on_the_cycle() {
    Run run = run(7, Severity.MEDIUM, 2);
    String egress = run.fault().aliases().getFirst().id().split("\\+", 2)[0];
    Instant from = run.fault().onset().plusSeconds(40);

    assertThat(run.growth(egress, "port.out_packets", from, run.end())).isLessThan(1000);
    assertThat(run.growth(egress, "pfc.rx_pause_frames", from, run.end()) * 50 / 1e6)
        .isCloseTo(Duration.between(from, run.end()).toSeconds(), within(40.));
  }

  @Test
  void what_is_too_large_is_discarded_where_it_arrives() {
    Run run = run(10, Severity.MEDIUM, 3);
    String port = run.parameter("port");

    assertThat(run.last(port, "port.mtu_bytes")).isEqualTo(1500);
    assertThat(run.growth(port, "port.in_discards", run.fault().onset(), run.end()))
        .isGreaterThan(1e6);
  }

  @Test
  void a_downgraded_link_is_slower_and_the_planned_one_is_in_the_plan() {
    Run run = run(11, Severity.MEDIUM, 8);

    for (Truth.Subject end : run.fault().aliases()) {
      double to = Double.parseDouble(run.parameter("to"));
      assertThat(run.last(end.id(), "port.speed_bits_per_second")).isEqualTo(to);
      assertThat(run.last(end.id(), "port.width_lanes")).isEqualTo(LANES / 2);
    }
    long plans = run.inputs().stream().filter(EngineInput.Topology.class::isInstance).count();
    assertThat(plans).isEqualTo(2);
  }

  @Test
  void a_silent_switch_lacks_what_it_drops() {
    Run run = run(15, Severity.HIGH, 12);
    String device = run.fault().subject().id();
    Set<String> ports = new HashSet<>(run.polls(device).getFirst().ports());
    ports.remove(PollBatch.DEVICE);
    double in = 0;
    double out = 0;
    for (String port : ports) {
      String id = device + ":" + port;
      in += run.growth(id, "port.in_octets", run.fault().observableFrom(), run.end());
      out += run.growth(id, "port.out_octets", run.fault().observableFrom(), run.end());
    }

    assertThat((in - out) / in).isCloseTo(3e-3, within(.3e-3));
  }

  @Test
  void retransmission_hides_what_is_beyond_repair() {
    Run run = run(20, Severity.HIGH, 14);
    String port = run.parameter("receiver");
    Instant from = run.fault().observableFrom();
    double seconds = Duration.between(from, run.end()).toSeconds();

    double again = run.growth(port, "plr.received_code_errors", from, run.end());
    assertThat(again / seconds).isCloseTo(5000, within(600.));
    assertThat(run.growth(port, "ib.receive_errors", from, run.end())).isZero();
  }

  @Test
  void counters_that_stick_at_their_end_say_so() {
    Run run = run(20, Severity.LOW, 15);
    long saturated = 0;
    for (PollBatch batch : run.polls("leaf1")) {
      for (int i = 0; i < batch.size(); i++) {
        saturated += batch.quality(i) == Quality.SATURATED ? 1 : 0;
      }
    }
    assertThat(saturated).isPositive();
  }

  @Test
  void a_narrow_slot_is_told() {
    Run run = run(21, Severity.HIGH, 16);

    assertThat(run.last(run.parameter("port"), "host.pcie_width_lanes")).isEqualTo(4);
  }

  @Test
  void a_restart_changes_the_boot_and_counters_begin_anew() {
    Run run = run(18, Severity.LOW, 17);
    String device =
        run.truth().confounders().stream()
            .filter(c -> c.note().equals("warm restart"))
            .findFirst()
            .orElseThrow()
            .subject()
            .id();

    List<PollBatch> polls = run.polls(device).stream().filter(p -> p.size() > 0).toList();
    int octets = DICTIONARY.ordinal("port.in_octets");
    int restarts = 0;
    for (int i = 1; i < polls.size(); i++) {
      if (!Objects.equals(polls.get(i).boot(), polls.get(i - 1).boot())) {
        restarts++;
        assertThat(first(polls.get(i), octets)).isLessThan(first(polls.get(i - 1), octets));
      }
    }
    assertThat(restarts).isEqualTo(1);
  }

  private static long first(PollBatch batch, int ordinal) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.signal(i) == ordinal) {
        return batch.raw(i);
      }
    }
    throw new AssertionError("not read");
  }

  @Test
  void missed_doubled_and_late_records_are_as_many_as_wanted() {
    Run run = run(25, Severity.MEDIUM, 18);
    Set<PollBatch> polls = new HashSet<>();
    long records = 0;
    for (EngineInput input : run.inputs()) {
      if (input instanceof EngineInput.Poll poll && poll.batch().size() > 0) {
        polls.add(poll.batch());
        records++;
      }
    }

    double due = 44 * 120;
    assertThat(polls.size() / due).isCloseTo(.8, within(.03));
    assertThat((records - polls.size()) / due).isCloseTo(.025, within(.01));
  }

  @Test
  void faults_are_staged_where_and_when_they_are_wanted() {
    Scenario.Wanted wanted =
        new Scenario.Wanted(6, Severity.HIGH, "gpu-005", Duration.ofSeconds(300));
    Run run =
        run(
            Scenario.of("F1-part", 0, Severity.LOW, 19)
                .with(Duration.ofMinutes(15), Duration.ofSeconds(15))
                .with(List.of(wanted)));

    assertThat(run.fault().subject()).isEqualTo(new Truth.Subject("host", "gpu-005"));
    assertThat(run.fault().onset()).isEqualTo(Scenario.START.plusSeconds(300));
  }
}
