package io.fabrichealth.simulate;

/**
 * Rows of CISCO-PFC-EXT-MIB, for each port and priority: frames (requests are sent, indications
 * received) and microseconds waited because of frames received and sent. RoCE runs on priority 3.
 */
final class PauseMib {
  static final int ROCE_PRIORITY = 3;
  private static final int PRIORITIES = 8;
  private static final String PRIORITY = "1.3.6.1.4.1.9.9.813.1.2.1.";
  private static final String WAIT = "1.3.6.1.4.1.9.9.813.1.4.1.";

  private PauseMib() {}

  static void addTo(MibView.Builder mib, SwitchPort row) {
    // Pause frames run against the direction that they stop.
    Direction stoppedByUs = row.port().in();
    Direction stoppedByPeer = row.port().out();
    for (int priority = 0; priority < PRIORITIES; priority++) {
      boolean roce = priority == ROCE_PRIORITY;
      String index = row.ifIndex() + "." + priority;
      mib.counter64(PRIORITY + "2." + index, () -> roce ? stoppedByUs.pauseFrames() : 0)
          .counter64(PRIORITY + "3." + index, () -> roce ? stoppedByPeer.pauseFrames() : 0)
          .counter64(WAIT + "2." + index, () -> roce ? stoppedByPeer.pauseMicros() : 0)
          .counter64(WAIT + "3." + index, () -> roce ? stoppedByUs.pauseMicros() : 0);
    }
  }
}
