package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.List;

/** A leaf's hash no longer knows all its uplinks: however often flows are drawn, some stay idle. */
final class Polarisation implements Staging {

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    DeviceModel leaf = stage.device(d -> d.isSwitch() && d.name().startsWith("leaf"));
    List<PortModel> uplinks = new ArrayList<>(world.site().uplinks(leaf));
    stage.draws().shuffle(uplinks);
    double part = stage.severity().of(.5, .25, .19);
    int kept = Math.max(2, (int) Math.round(part * uplinks.size()));
    List<PortModel> used = uplinks.subList(0, kept);
    stage.at(
        stage.onset(),
        now -> {
          world.routes().narrow(leaf, used);
          world
              .traffic()
              .hash(
                  world
                      .traffic()
                      .flows(
                          flow -> flow.path().size() > 2 && flow.source().peer().device() == leaf),
                  now);
        });
    stage
        .fault("ROUTE_POLARISATION", new Truth.Subject("route", leaf.name()))
        .alias(Stage.subject(leaf))
        .members(used.stream().map(port -> Stage.subject(port.link())).toList())
        .with("uplinks", uplinks.size())
        .with("used", kept)
        .accept("ROUTE_COLLISION")
        .observableFrom(stage.seenAfter(stage.onset()) + stage.pollSeconds())
        .tell();
  }
}
