package io.fabrichealth.simulate.world;

/**
 * Bursts of errors on one direction of a link that its code cannot repair: packets arrive broken.
 * Elsewhere a leaf drops packets because it is congested.
 */
final class LossyLink implements Staging {

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double ratio = stage.severity().of(1e-5, 1e-4, 1e-3);
    LinkModel link = stage.link(LinkModel::isOptical);
    PortModel receiver = stage.draws().one(world.ends(link));
    Wire wire = receiver.in();
    double packets = wire.capacity(Traffic.LARGE_OCTETS);
    double beyondRepair = ratio * packets / PortModel.PACKETS_HIT;
    ErrorBursts bursts = new ErrorBursts(world, receiver, beyondRepair, false);
    stage.at(
        stage.onset(),
        now -> {
          bursts.begin(now);
          wire.setErrorRatio(ratio);
        });
    double load = Math.max(.02, wire.load());
    stage
        .fault("PACKET_LOSS", link)
        .with("receiver", receiver.id())
        .with("lossRatio", ratio)
        .accept("PHY_LINK")
        .observableFrom(stage.toldAfter(stage.onset(), 1e-4, ratio * packets * load))
        .tell();
    dropsElsewhere(stage, link);
  }

  private static void dropsElsewhere(Stage stage, LinkModel link) {
    World world = stage.world();
    LinkModel other =
        stage.other(l -> Stage.isOfHost(l) && !world.ends(l).contains(world.ends(link).getFirst()));
    PortModel target = world.ends(other).getFirst();
    double from = stage.between(.3, .5);
    double to = from + Math.min(1200, .15 * stage.seconds());
    Incast incast = new Incast(world, target, world.sendersTo(target, 8), .42, .03, .04, 150);
    stage.at(from, incast::begin);
    stage.at(to, incast::end);
    stage.makeHard();
    stage.confounder(
        17, Stage.subject(other), from, to, "a congested egress drops packets", "CONGESTION");
  }
}
