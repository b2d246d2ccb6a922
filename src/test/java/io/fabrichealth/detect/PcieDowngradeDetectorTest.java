package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PcieDowngradeDetectorTest {
  private static final double OPENS = 8.76;
  private static final int HOSTS = 5;
  private static final int PORTS = 3;

  private final DetectorRun<PcieDowngradeDetector.State> run =
      DetectorRun.of(PcieDowngradeDetector::new);

  @BeforeEach
  void hosts() {
    Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    for (int host = 1; host <= HOSTS; host++) {
      fabric.device(
          new Device("gpu-00" + host, Role.HOST, "NVIDIA", "MT4129", null, null, Map.of()));
      for (int port = 0; port < PORTS; port++) {
        fabric.link(
            Link.between(
                new PortId("gpu-00" + host, "mlx5_" + port + "/1"),
                new PortId("leaf1", "Ethernet" + port + "/" + host),
                Tier.HOST_LEAF,
                port));
      }
    }
    run.in(fabric.build()).at(HOST);
  }

  @Test
  void a_width_that_fell_is_named_at_the_second_poll_and_blames_the_host() {
    run.poll(window -> pcie(window, 16, 32e9));
    run.poll(window -> pcie(window, 8, 32e9));
    assertThat(run.nats()).isLessThan(5);

    run.poll(window -> pcie(window, 8, 32e9));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PCIE_DOWNGRADE);
    assertThat(run.finding().subject()).isEqualTo(Subject.host("gpu-001"));
    assertThat(run.finding().evidence().observed()).isEqualTo("PCIe at x8");
    assertThat(run.finding().evidence().expected()).isEqualTo("x16, as before");
  }

  @Test
  void a_width_below_that_of_hosts_of_the_same_model_is_named_from_the_first_poll_on() {
    othersHave(16);
    run.polls(2, window -> pcie(window, 8, 32e9));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).isEqualTo("x16, as others like it");
  }

  @Test
  void a_width_below_that_of_the_other_hcas_of_the_host_is_named() {
    for (int port = 1; port < PORTS; port++) {
      run.sees(new PortId("gpu-001", "mlx5_" + port + "/1"), window -> pcie(window, 16, 32e9));
    }
    run.polls(2, window -> pcie(window, 8, 32e9));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_slot_that_is_narrow_in_all_hosts_of_the_model_is_meant_to_be() {
    othersHave(8);
    for (int port = 1; port < PORTS; port++) {
      run.sees(new PortId("gpu-001", "mlx5_" + port + "/1"), window -> pcie(window, 16, 32e9));
    }
    run.polls(3, window -> pcie(window, 8, 32e9));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_narrow_slot_that_nothing_can_be_compared_with_stays_silent() {
    run.polls(3, window -> pcie(window, 8, 32e9));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_rate_that_fell_under_traffic_is_named() {
    run.poll(window -> pcie(window, 16, 32e9));
    run.polls(2, window -> pcie(window, 16, 16e9).grow("port.in_octets", 1e11));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed()).isEqualTo("PCIe at 16 GT/s");
  }

  @Test
  void a_rate_that_fell_without_traffic_saves_power() {
    run.poll(window -> pcie(window, 16, 32e9));
    run.polls(3, window -> pcie(window, 16, 2.5e9).grow("port.in_octets", 1e6));
    run.polls(3, window -> pcie(window, 16, 2.5e9));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void it_clears_when_the_width_is_back_and_not_where_it_is_not_read() {
    run.poll(window -> pcie(window, 16, 32e9));
    run.polls(2, window -> pcie(window, 8, 32e9));
    run.poll(window -> {});
    assertThat(run.nats()).isGreaterThan(OPENS);

    run.poll(window -> pcie(window, 16, 32e9));

    assertThat(run.findings()).isEmpty();
  }

  private void othersHave(double lanes) {
    for (int host = 2; host <= HOSTS; host++) {
      run.sees(new PortId("gpu-00" + host, "mlx5_0/1"), window -> pcie(window, lanes, 32e9));
    }
  }

  private static FakeWindow pcie(FakeWindow window, double lanes, double rate) {
    return window
        .gauge("host.pcie_width_lanes", lanes)
        .gauge("host.pcie_speed_transfers_per_second", rate);
  }
}
