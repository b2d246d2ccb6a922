package io.fabrichealth.benchmark.localise;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Traces of flows in a fat tree of switches with k ports: uniform pairs of hosts, each flow on a
 * random shortest path, in packets of 1,500 bytes. Every directed link loses some packets, one to
 * eight of those between switches more. Links of hosts are candidates too.
 */
final class FatTreeTraces {
  private static final int MOST_FAULTS = 8;

  private final FlowSizes sizes;
  private final int half;
  private final int hosts;
  private final int fabricLinks;

  FatTreeTraces(int k, FlowSizes sizes) {
    this.sizes = sizes;
    half = k / 2;
    hosts = k * half * half;
    fabricLinks = 2 * k * half * half;
  }

  int directedLinks() {
    return 2 * (fabricLinks + hosts);
  }

  int directedFabricLinks() {
    return 2 * fabricLinks;
  }

  LossTrace trace(Regime regime, long seed) {
    return trace(regime.flows(), regime.noise(), regime.least(), regime.most(), seed);
  }

  /** The same with any noise and any losses of the faulty links. */
  LossTrace trace(int flows, double noise, double least, double most, long seed) {
    SplittableRandom draws = new SplittableRandom(seed);
    int candidates = directedLinks();
    double[] ratio = new double[candidates];
    for (int link = 0; link < candidates; link++) {
      ratio[link] = draws.nextDouble() * noise;
    }
    BitSet faulty = new BitSet(candidates);
    int faults = 1 + draws.nextInt(MOST_FAULTS);
    while (faulty.cardinality() < faults) {
      int link = draws.nextInt(directedFabricLinks());
      faulty.set(link);
      ratio[link] = least + draws.nextDouble() * (most - least);
    }
    byte[] lengths = new byte[flows];
    short[] elements = new short[6 * flows];
    int[] sent = new int[flows];
    int[] lost = new int[flows];
    int[] path = new int[6];
    int at = 0;
    for (int flow = 0; flow < flows; flow++) {
      int length = path(draws, path);
      double logKept = 0;
      for (int i = 0; i < length; i++) {
        elements[at++] = (short) path[i];
        logKept += Math.log1p(-ratio[path[i]]);
      }
      lengths[flow] = (byte) length;
      sent[flow] = sizes.packets(draws);
      lost[flow] = losses(draws, sent[flow], logKept);
    }
    return new LossTrace(
        candidates, flows, lengths, Arrays.copyOf(elements, at), sent, lost, faulty);
  }

  /** Counts losses by the gaps between them, which are geometric. */
  private static int losses(SplittableRandom draws, int sent, double logKept) {
    int lost = 0;
    double at = Math.log(1 - draws.nextDouble()) / logKept;
    while (at < sent) {
      lost++;
      at = Math.floor(at) + 1 + Math.log(1 - draws.nextDouble()) / logKept;
    }
    return lost;
  }

  private int path(SplittableRandom draws, int[] path) {
    int src = draws.nextInt(hosts);
    int dst = draws.nextInt(hosts - 1);
    dst += dst >= src ? 1 : 0;
    int edge = src / half;
    int last = dst / half;
    int length = 0;
    path[length++] = up(fabricLinks + src);
    if (edge != last) {
      int agg = draws.nextInt(half);
      path[length++] = up(edge * half + agg);
      if (edge / half != last / half) {
        int core = draws.nextInt(half);
        path[length++] = up(fabricLinks / 2 + (edge / half * half + agg) * half + core);
        path[length++] = down(fabricLinks / 2 + (last / half * half + agg) * half + core);
      }
      path[length++] = down(last * half + agg);
    }
    path[length++] = down(fabricLinks + dst);
    return length;
  }

  private static int up(int link) {
    return 2 * link;
  }

  private static int down(int link) {
    return 2 * link + 1;
  }
}
