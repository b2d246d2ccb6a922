package io.fabrichealth.simulate.world;

import java.util.List;

/** One direction of a link loses packets, and no counter of it says so. */
final class SilentLink implements Staging {
  /** By how much the instants of two ends' readings are not known, s. */
  private static final double SKEW_SECONDS = .2;

  private static final double DEVIATIONS = 7;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double ratio = stage.severity().of(1e-5, 1e-4, 1e-3);
    LinkModel link = stage.link(l -> true);
    Wire wire = stage.draws().one(world.ends(link)).in();
    stage.at(
        stage.onset(),
        now -> {
          List<Flow> flows = world.traffic().flows(flow -> flow.path().contains(wire));
          world.traffic().change(flows, now, () -> wire.setLossRatio(ratio));
          SilentLink.notice(flows, ratio, now);
        });
    double slope = DEVIATIONS * SKEW_SECONDS * Math.sqrt(12 * stage.pollSeconds()) / ratio;
    stage
        .fault("PACKET_LOSS", link)
        .with("receiver", wire.to().id())
        .with("lossRatio", ratio)
        .observableFrom(
            Math.max(stage.seenAfter(stage.onset()), stage.onset() + Math.pow(slope, 2. / 3)))
        .tell();
  }

  /** The hosts see gaps in what they receive. */
  static void notice(List<Flow> flows, double ratio, double now) {
    for (Flow flow : flows) {
      HostSide source = flow.source().host();
      HostSide target = flow.target().host();
      double gaps = ratio * flow.offered() * flow.activity().level();
      if (source != null && target != null) {
        target.outOfSequence.addRate(gaps, now);
        source.sequenceErrors.addRate(gaps, now);
      }
    }
  }
}
