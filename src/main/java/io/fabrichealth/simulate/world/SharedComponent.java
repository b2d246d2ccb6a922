package io.fabrichealth.simulate.world;

import java.util.List;
import java.util.stream.Collectors;

/** A gearbox behind neighbouring ports of a leaf spoils all of them at once. */
final class SharedComponent implements Staging {
  private static final double BASE = 5e-8;
  private static final double FACTOR = 100;
  private static final double OUTAGE_SECONDS = 4;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    int number = (int) stage.severity().of(4, 8, 8);
    DeviceModel leaf =
        stage.device(
            d -> d.name().startsWith("leaf") && d.reporting().tellsErrorsBeforeCorrection());
    List<PortModel> uplinks = world.site().uplinks(leaf);
    int first = number * stage.draws().index(uplinks.size() / number);
    List<PortModel> ports = uplinks.subList(first, first + number);
    for (PortModel port : ports) {
      stage.take(port.link());
      world.ends(port.link()).forEach(end -> RaisedErrors.level(end.receiver(), BASE));
    }
    stage.at(
        stage.onset(),
        now -> {
          for (PortModel port : ports) {
            double factor = FACTOR * stage.draws().uniform(.5, 2);
            world
                .ends(port.link())
                .forEach(end -> RaisedErrors.level(end.receiver(), BASE * factor));
          }
        });
    if (stage.severity() == Severity.HIGH) {
      double down = stage.onset() + 60;
      stage.at(down, now -> ports.forEach(port -> world.setUp(port.link(), false, now)));
      stage.at(
          down + OUTAGE_SECONDS, now -> ports.forEach(port -> world.setUp(port.link(), true, now)));
    }
    String id = ports.stream().map(PortModel::id).sorted().collect(Collectors.joining("+"));
    stage
        .fault("SHARED_COMPONENT", new Truth.Subject("shared_component", id))
        .alias(Stage.subject(leaf))
        .members(ports.stream().map(port -> Stage.subject(port.link())).toList())
        .with("ports", number)
        .tell();
  }
}
