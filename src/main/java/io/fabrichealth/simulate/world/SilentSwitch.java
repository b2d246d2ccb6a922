package io.fabrichealth.simulate.world;

import java.util.List;

/** A spine drops some of what it forwards, and no counter of it says so. */
final class SilentSwitch implements Staging {

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double ratio = stage.severity().of(3e-4, 1e-3, 3e-3);
    DeviceModel device = stage.device(d -> d.isSwitch() && d.name().startsWith("spine"));
    stage.at(
        stage.onset(),
        now -> {
          List<Flow> flows = world.traffic().flows(flow -> flow.crosses(device));
          world.traffic().change(flows, now, () -> device.setDropRatio(ratio));
          SilentLink.notice(flows, ratio, now);
        });
    stage
        .fault("SWITCH_PACKET_LOSS", Stage.subject(device))
        .with("lossRatio", ratio)
        .accept("PACKET_LOSS")
        .observableFrom(stage.seenAfter(stage.onset()) + stage.pollSeconds())
        .tell();
  }
}
