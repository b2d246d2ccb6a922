package io.fabrichealth.simulate.world;

/** Passes are missed, records come twice and out of order; the fabric is healthy. */
final class PoorCollector implements Staging {

  @Override
  public void stage(Stage stage) {
    double missed = stage.severity().of(.1, .2, .3);
    stage.world().habits().set(missed, .03, .04);
    stage.confounder(
        25,
        stage.fabric(),
        0,
        stage.seconds(),
        "%.0f %% of the passes are missed, records come twice and late".formatted(100 * missed),
        "DEVICE_UNREACHABLE");
  }
}
