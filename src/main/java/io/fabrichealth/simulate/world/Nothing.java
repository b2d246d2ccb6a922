package io.fabrichealth.simulate.world;

/** A healthy fabric, with the everyday incasts of one. */
final class Nothing implements Staging {

  @Override
  public void stage(Stage stage) {
    stage.confounder(0, stage.fabric(), 0, stage.seconds(), "nothing happens");
  }
}
