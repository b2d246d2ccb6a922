package io.fabrichealth.simulate.world;

/**
 * A link whose codewords are often beyond repair, which its physical layer hides by sending them
 * again: nothing is lost, packets wait. Another link makes packets wait because it is congested.
 */
final class Retransmission implements Staging {
  private static final double DELAY_MICROS = 20;
  private static final double MICROS = 1e6;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double again = stage.severity().of(20, 300, 5000);
    LinkModel link = stage.link(LinkModel::isOptical);
    PortModel receiver = stage.draws().one(world.ends(link));
    ErrorBursts bursts = new ErrorBursts(world, receiver, again, true);
    stage.at(
        stage.onset(),
        now -> {
          bursts.begin(now);
          wait(receiver.in(), now);
        });
    stage
        .fault("PHY_LINK", link)
        .with("receiver", receiver.id())
        .with("retransmissionsPerSecond", again)
        .with("delayMicros", DELAY_MICROS)
        .accept("PHY_LANE", "LINK_SLOW")
        .tell();
    LinkModel congested = stage.other(l -> !Stage.isOfHost(l));
    Wire wire = world.ends(congested).getFirst().out();
    double from = stage.between(.3, .5);
    stage.at(from, now -> wait(wire, now));
    stage.makeHard();
    stage.confounder(
        17,
        Stage.subject(congested),
        from,
        stage.seconds(),
        "packets wait for credits of a congested switch",
        "CONGESTION");
  }

  private static void wait(Wire wire, double now) {
    wire.setDelayMicros(DELAY_MICROS);
    wire.pausedMicros().addRate(.1 * MICROS, now);
  }
}
