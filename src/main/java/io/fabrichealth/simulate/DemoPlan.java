package io.fabrichealth.simulate;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the demo fabric is wired: rail-optimised, HCA r of each host is rail r and goes to leaf r
 * modulo 4, so that each leaf carries two rails; four links join each leaf to each spine. All
 * numbers count from 0, all names from 1 but for those of the HCAs.
 */
final class DemoPlan {
  static final int LEAVES = 4;
  static final int SPINES = 2;
  static final int HOSTS = 8;
  static final int HCAS = 8;
  static final int PARALLEL = 4;
  static final int LANES = 4;
  static final long SPEED = 400_000_000_000L;
  private static final int SWITCH_MTU = 9216;
  private static final int HOST_MTU = 9000;
  private static final String MODULE = "SIM-400G-DR4";

  private DemoPlan() {}

  static String leaf(int leaf) {
    return "leaf" + (leaf + 1);
  }

  static String spine(int spine) {
    return "spine" + (spine + 1);
  }

  static String host(int host) {
    return "gpu-%03d".formatted(host + 1);
  }

  static PortId hca(int host, int hca) {
    return new PortId(host(host), "mlx5_" + hca + "/1");
  }

  /** The port of the leaf that the HCA is wired to. */
  static PortId leafPortOf(int host, int hca) {
    return ethernet(leaf(hca % LEAVES), hca / LEAVES * HOSTS + host);
  }

  /** The leaf's end of one of its links to a spine. */
  static PortId uplink(int leaf, int spine, int parallel) {
    return ethernet(leaf(leaf), HCAS / LEAVES * HOSTS + spine * PARALLEL + parallel);
  }

  /** The spine's end of the same link. */
  static PortId downlink(int leaf, int spine, int parallel) {
    return ethernet(spine(spine), leaf * PARALLEL + parallel);
  }

  static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder();
    for (int spine = 0; spine < SPINES; spine++) {
      fabric.device(device(spine(spine), Role.SPINE));
    }
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      fabric.device(device(leaf(leaf), Role.LEAF));
      for (int spine = 0; spine < SPINES; spine++) {
        for (int parallel = 0; parallel < PARALLEL; parallel++) {
          PortId below = uplink(leaf, spine, parallel);
          PortId above = downlink(leaf, spine, parallel);
          join(fabric, port(below, SWITCH_MTU), port(above, SWITCH_MTU), Tier.LEAF_SPINE, null);
        }
      }
    }
    for (int host = 0; host < HOSTS; host++) {
      fabric.device(device(host(host), Role.HOST));
      for (int hca = 0; hca < HCAS; hca++) {
        PortId above = leafPortOf(host, hca);
        join(fabric, port(hca(host, hca), HOST_MTU), port(above, SWITCH_MTU), Tier.HOST_LEAF, hca);
      }
    }
    return fabric.build();
  }

  private static void join(
      Fabric.Builder fabric, Port one, Port other, Tier tier, @Nullable Integer rail) {
    fabric.port(one).port(other).link(Link.between(one.id(), other.id(), tier, rail));
  }

  private static PortId ethernet(String device, int number) {
    return new PortId(device, "Ethernet1/" + (number + 1));
  }

  private static Device device(String name, Role role) {
    return new Device(name, role, "simulated", null, null, null, Map.of());
  }

  private static Port port(PortId id, int mtu) {
    return new Port(id, SPEED, LANES, FecMode.RS544, Media.OPTICAL, MODULE, mtu, true, List.of());
  }
}
