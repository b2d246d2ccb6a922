package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoPlanTest {
  private final Fabric plan = DemoPlan.fabric();

  @Test
  void sixty_four_host_links_and_four_from_each_leaf_to_each_spine() {
    assertThat(plan.devices()).hasSize(4 + 2 + 8);
    assertThat(links(Tier.HOST_LEAF)).hasSize(64);
    assertThat(links(Tier.LEAF_SPINE)).hasSize(32);
    assertThat(plan.links()).hasSize(96).noneMatch(Link::isHalf);
    assertThat(plan.ports()).hasSize(2 * 96);
  }

  @Test
  void each_leaf_carries_two_rails_of_all_hosts() {
    assertThat(links(Tier.HOST_LEAF))
        .allSatisfy(
            link -> {
              PortId leaf = endAt(link, Role.LEAF);
              PortId host = endAt(link, Role.HOST);
              int rail = Integer.parseInt(host.port().replaceAll("mlx5_(\\d)/1", "$1"));
              assertThat(link.rail()).isEqualTo(rail);
              assertThat(leaf.device()).isEqualTo("leaf" + (rail % 4 + 1));
            });
  }

  @Test
  void the_script_names_links_of_the_plan_and_keeps_faults_away_from_the_congested_leaf() {
    DemoScript script = DemoScript.standard();

    assertThat(script.faults()).hasSize(3);
    assertThat(script.faults())
        .filteredOn(fault -> !(fault instanceof Fault.SlowReceiver))
        .allSatisfy(fault -> assertThat(plan.link(fault.subject())).isNotNull());
    assertThat(script.faults())
        .filteredOn(Fault.SlowReceiver.class::isInstance)
        .allSatisfy(fault -> assertThat(plan.device(fault.subject())).isNotNull());
    String congested =
        script.confounders().stream()
            .filter(Confounder.Incast.class::isInstance)
            .map(confounder -> ((Confounder.Incast) confounder).leaf())
            .findFirst()
            .orElseThrow();
    assertThat(script.faults())
        .noneMatch(fault -> fault.subject().contains(congested))
        .allSatisfy(fault -> assertThat(fault.text()).isNotBlank());
    assertThat(DemoScript.healthy().faults()).isEmpty();
  }

  private List<Link> links(Tier tier) {
    return plan.links().stream().filter(link -> link.tier() == tier).toList();
  }

  private PortId endAt(Link link, Role role) {
    return link.ends().stream()
        .filter(end -> plan.device(end.device()).role() == role)
        .findFirst()
        .orElseThrow();
  }
}
