package io.fabrichealth.simulate.world;

/** What an HCA counts of its transport. */
final class HostSide {
  private static final long PCIE_GEN5 = 32_000_000_000L;
  private static final int FULL_WIDTH = 16;

  final Meter marked = new Meter();
  final Meter notificationsSent = new Meter();
  final Meter notificationsHandled = new Meter();
  final Meter outOfSequence = new Meter();
  final Meter sequenceErrors = new Meter();
  final Meter impliedNaks = new Meter();
  final Meter timeouts = new Meter();
  final Meter notReadyRetries = new Meter();
  final Meter outOfBuffer = new Meter();
  final Meter adaptiveRetransmissions = new Meter();
  private int pcieWidth = FULL_WIDTH;

  void setPcieWidth(int lanes) {
    pcieWidth = lanes;
  }

  int pcieWidth() {
    return pcieWidth;
  }

  long pcieSpeed() {
    return PCIE_GEN5;
  }
}
