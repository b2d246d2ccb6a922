package io.fabrichealth.benchmark;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.infiniband.InfinibandTopology;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * What it takes to make devices, ports and neighbours of the text of {@code ibnetdiscover}: a fat
 * tree of 155 leaves with 32 adapters each and 32 spines.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx512m -cp %classpath io.fabrichealth.benchmark.SubnetDiscovery"
 * </pre>
 */
public final class SubnetDiscovery {
  private static final int LEAVES = 155;
  private static final int SPINES = 32;
  private static final int HOSTS_OF_A_LEAF = 32;
  private static final int ROUNDS = 8;

  private SubnetDiscovery() {}

  public static void main(String[] arguments) throws IOException {
    byte[] text = text().getBytes(StandardCharsets.UTF_8);
    long lines = new String(text, StandardCharsets.UTF_8).lines().count();
    for (int round = 1; round <= ROUNDS; round++) {
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long wall = System.nanoTime();
      CollectOutcome outcome =
          InfinibandTopology.read(Format.IBNETDISCOVER, new ByteArrayInputStream(text));
      System.out.printf(
          "%,d lines (%,d kB), %,d devices, %d problems: %.3f s of processor, %.3f s%n",
          lines,
          text.length / 1_000,
          outcome.sightings().size(),
          outcome.problems().size(),
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9,
          (System.nanoTime() - wall) / 1e9);
    }
  }

  private static String text() {
    StringBuilder text = new StringBuilder(8 << 20);
    text.append("#\n# Topology file: generated\n#\n\n");
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      node(text, "switch", leafGuid(leaf));
      text.append(
          "Switch\t65 \"S-%016x\"\t\t# \"MF0;leaf%d:MQM9700/U1\" enhanced port 0 lid %d lmc 0\n"
              .formatted(leafGuid(leaf), leaf, 1 + leaf));
      for (int host = 0; host < HOSTS_OF_A_LEAF; host++) {
        long guid = hostGuid(leaf, host);
        text.append(
            "[%d]\t\"H-%016x\"[1](%x) \t\t# \"gpu%d mlx5_%d\" lid %d 4xNDR\n"
                .formatted(host + 1, guid, guid, host(leaf, host), leaf % 8, lid(leaf, host)));
      }
      for (int spine = 0; spine < SPINES; spine++) {
        text.append(
            "[%d]\t\"S-%016x\"[%d]\t\t# \"MF0;spine%d:MQM9700/U1\" lid %d 4xNDR\n"
                .formatted(
                    HOSTS_OF_A_LEAF + 1 + spine,
                    spineGuid(spine),
                    leaf + 1,
                    spine,
                    1 + LEAVES + spine));
      }
    }
    for (int spine = 0; spine < SPINES; spine++) {
      node(text, "switch", spineGuid(spine));
      text.append(
          "Switch\t161 \"S-%016x\"\t\t# \"MF0;spine%d:MQM9700/U1\" enhanced port 0 lid %d lmc 0\n"
              .formatted(spineGuid(spine), spine, 1 + LEAVES + spine));
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        text.append(
            "[%d]\t\"S-%016x\"[%d]\t\t# \"MF0;leaf%d:MQM9700/U1\" lid %d 4xNDR\n"
                .formatted(leaf + 1, leafGuid(leaf), HOSTS_OF_A_LEAF + 1 + spine, leaf, 1 + leaf));
      }
    }
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      for (int host = 0; host < HOSTS_OF_A_LEAF; host++) {
        long guid = hostGuid(leaf, host);
        node(text, "ca", guid);
        text.append(
            "Ca\t1 \"H-%016x\"\t\t# \"gpu%d mlx5_%d\"\n"
                .formatted(guid, host(leaf, host), leaf % 8));
        text.append(
            ("[1](%x) \t\"S-%016x\"[%d]\t\t# lid %d lmc 0 \"MF0;leaf%d:MQM9700/U1\" lid %d"
                    + " 4xNDR\n")
                .formatted(guid, leafGuid(leaf), host + 1, lid(leaf, host), leaf, 1 + leaf));
      }
    }
    return text.toString();
  }

  private static void node(StringBuilder text, String kind, long guid) {
    text.append(
        "\nvendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x%x\n%sguid=0x%x\n".formatted(guid, kind, guid));
  }

  private static long leafGuid(int leaf) {
    return 0xb8599f0300010000L + leaf;
  }

  private static long spineGuid(int spine) {
    return 0xb8599f0300020000L + spine;
  }

  private static long hostGuid(int leaf, int host) {
    return 0x506b4b0300000000L + leaf * 256L + host;
  }

  /** Eight leaves of a group, one for each adapter of a host. */
  private static int host(int leaf, int host) {
    return leaf / 8 * HOSTS_OF_A_LEAF + host;
  }

  private static int lid(int leaf, int host) {
    return 1_000 + leaf * HOSTS_OF_A_LEAF + host;
  }
}
