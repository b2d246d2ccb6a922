package io.fabrichealth.simulate;

import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The traffic of a training job: rings of collectives along each rail, so that every link carries
 * the same both ways, and the less of it between leaves. Packets are conserved: what goes into a
 * switch comes out of it or is counted as dropped.
 */
final class Traffic {
  private static final double WAVE_SECONDS = 600;
  private static final double RING_LOAD = .55;
  private static final double RING_WAVE = .11;
  private static final double RING_NOISE = .02;
  private static final double SPINE_LOAD = .3;
  private static final double SPINE_WAVE = .06;
  private static final double INCAST_LOAD = .972;
  private static final double INCAST_NOISE = .005;
  private static final double INCAST_DISCARDS_PER_SECOND = .5;
  private static final double INCAST_MARKED = .05;

  /** The leaf's own reaction: it pauses the spines for a while. */
  private static final double INCAST_PAUSE = .07;

  private final Cabling cabling;
  private final Draws draws;

  Traffic(Cabling cabling, Draws draws) {
    this.cabling = cabling;
    this.draws = draws;
  }

  /**
   * Offers one tick's packets to all links that are up.
   *
   * @param throttled loads of links whose receiver takes less than it is sent, by HCA
   */
  void offer(double now, double tick, Map<PortId, Double> throttled) {
    double phase = 2 * Math.PI * now / WAVE_SECONDS;
    for (Hca hca : cabling.hcas()) {
      int rail = cabling.railOf(hca);
      double load =
          RING_LOAD + RING_WAVE * Math.sin(phase + rail) + draws.uniform(-RING_NOISE, RING_NOISE);
      double most = throttled.getOrDefault(hca.port().port().id(), 1.0);
      hca.port().link().offerBothWays(Direction.packets(Math.min(load, most), tick));
    }
    double spineLoad = SPINE_LOAD + SPINE_WAVE * Math.sin(phase);
    for (List<Uplink> bundle : cabling.bundles()) {
      List<Uplink> carrying = up(bundle);
      long all = Direction.packets(spineLoad * bundle.size(), tick);
      spread(all, carrying.size(), (i, share) -> carrying.get(i).link().offerBothWays(share));
    }
  }

  /** Offers what many hosts send to few of one leaf, through the spines, beside the rings. */
  void offerIncast(Confounder.Incast incast, double now, double tick) {
    double phase = 2 * Math.PI * now / WAVE_SECONDS;
    long extra = 0;
    long notifications = 0;
    for (PortId target : incast.targets()) {
      Hca hca = cabling.hca(target);
      Direction egress = hca.port().in();
      double load = INCAST_LOAD + draws.uniform(-INCAST_NOISE, INCAST_NOISE);
      long more = Math.max(0, Direction.packets(load, tick) - egress.offeredPackets());
      long dropped = draws.poisson(INCAST_DISCARDS_PER_SECOND * tick);
      egress.offer(more);
      egress.discard(dropped);
      extra += more + dropped;
      long marked = draws.poisson(INCAST_MARKED * egress.offeredPackets());
      notifications += hca.receiveMarked(marked, tick);
    }
    List<Hca> senders =
        cabling.hcas().stream().filter(hca -> !cabling.leafOf(hca).equals(incast.leaf())).toList();
    Map<String, Long> byLeaf = new TreeMap<>();
    spread(
        extra,
        senders.size(),
        (i, share) -> {
          senders.get(i).port().out().offer(share);
          byLeaf.merge(cabling.leafOf(senders.get(i)), share, Long::sum);
        });
    spread(notifications, senders.size(), (i, share) -> senders.get(i).handleNotifications(share));
    Map<String, Long> bySpine = new TreeMap<>();
    byLeaf.forEach((leaf, packets) -> climb(leaf, packets, bySpine));
    bySpine.forEach((spine, packets) -> descend(incast.leaf(), spine, packets));
    double pause = INCAST_PAUSE + .02 * Math.sin(7 * phase);
    cabling.uplinksOf(incast.leaf()).forEach(uplink -> uplink.down().pause(pause));
  }

  private void climb(String leaf, long packets, Map<String, Long> bySpine) {
    List<Uplink> carrying = up(cabling.uplinksOf(leaf));
    spread(
        packets,
        carrying.size(),
        (i, share) -> {
          carrying.get(i).up().offer(share);
          bySpine.merge(carrying.get(i).spine(), share, Long::sum);
        });
  }

  private void descend(String leaf, String spine, long packets) {
    List<Uplink> carrying =
        up(cabling.uplinksOf(leaf)).stream().filter(u -> u.spine().equals(spine)).toList();
    spread(packets, carrying.size(), (i, share) -> carrying.get(i).down().offer(share));
  }

  private static List<Uplink> up(List<Uplink> all) {
    List<Uplink> up = new ArrayList<>(all);
    up.removeIf(uplink -> !uplink.link().isUp());
    return up;
  }

  private static void spread(long total, int parts, Share share) {
    for (int i = 0; i < parts; i++) {
      share.take(i, total / parts + (i < total % parts ? 1 : 0));
    }
  }

  private interface Share {
    void take(int part, long packets);
  }
}
