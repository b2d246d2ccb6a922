package io.fabrichealth.simulate.world;

/** One end of a link takes smaller packets than the other sends. Elsewhere packets are dropped. */
final class SmallMtu implements Staging {
  private static final int HEADERS = 22;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    int mtu = (int) stage.severity().of(4000, 1500, 1500);
    LinkModel link =
        stage.link(
            l -> world.ends(l).stream().allMatch(end -> end.device().reporting().tells(Gauge.MTU)));
    PortModel port = stage.draws().one(world.ends(link));
    stage.at(
        stage.onset(),
        now ->
            world
                .traffic()
                .change(
                    world.traffic().flows(flow -> flow.path().contains(port.in())),
                    now,
                    () -> {
                      port.setMtu(mtu);
                      port.in().setLargestOctets(mtu + HEADERS);
                    }));
    stage.fault("MTU_MISMATCH", link).with("port", port.id()).with("mtu", mtu).tell();
    CongestedFabric.incasts(stage, 1, 20);
  }
}
