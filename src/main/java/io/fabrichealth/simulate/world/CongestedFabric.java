package io.fabrichealth.simulate.world;

/** Many hosts are the target of many for minutes at a time; all links are sound. */
final class CongestedFabric implements Staging {
  private static final double LEAST_SECONDS = 30;

  @Override
  public void stage(Stage stage) {
    incasts(stage, (int) stage.severity().of(6, 14, 30), 30);
    stage.confounder(17, stage.fabric(), 0, stage.seconds(), "congested but healthy", "CONGESTION");
  }

  /**
   * @param discardsPerSecond of each
   */
  static void incasts(Stage stage, int number, double discardsPerSecond) {
    World world = stage.world();
    for (int i = 0; i < number; i++) {
      LinkModel link = stage.other(Stage::isOfHost);
      PortModel target = world.ends(link).getFirst();
      double from = stage.between(.1, .8);
      double to = from + LEAST_SECONDS + stage.draws().waiting(.06 * stage.seconds());
      Incast incast =
          new Incast(
              world,
              target,
              world.sendersTo(target, 8),
              stage.draws().uniform(.25, .43),
              stage.draws().uniform(.01, .06),
              .04,
              discardsPerSecond * stage.draws().uniform(.1, 1));
      stage.at(from, incast::begin);
      stage.at(to, incast::end);
      stage.confounder(17, Stage.subject(link), from, to, "incast", "CONGESTION");
    }
  }
}
