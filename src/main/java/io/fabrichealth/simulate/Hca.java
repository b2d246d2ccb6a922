package io.fabrichealth.simulate;

/** What an HCA counts above its port: congestion marks and the transport's own errors. */
final class Hca {
  private static final double STRAY_MARKS_PER_SECOND = 2;

  /** One notification in 50 microseconds for each flow, and some flows at once. */
  private static final double MOST_NOTIFICATIONS_PER_SECOND = 160_000;

  private final SimulatedPort port;
  private final String netdev;
  private long notificationsSent;
  private long notificationsHandled;
  private long markedPackets;
  private long outOfSequence;
  private long packetSequenceErrors;
  private long outOfBuffer;

  Hca(SimulatedPort port, String netdev) {
    this.port = port;
    this.netdev = netdev;
  }

  /** The few marks that every fabric has. */
  void advance(double seconds, Draws draws) {
    receiveMarked(draws.poisson(STRAY_MARKS_PER_SECOND * seconds), seconds);
    notificationsHandled += draws.poisson(STRAY_MARKS_PER_SECOND * seconds);
  }

  /** Marked packets came in; notifications go back to their senders. Returns how many. */
  long receiveMarked(long packets, double seconds) {
    long notifications = Math.min(packets, (long) (MOST_NOTIFICATIONS_PER_SECOND * seconds));
    markedPackets += packets;
    notificationsSent += notifications;
    return notifications;
  }

  void handleNotifications(long notifications) {
    notificationsHandled += notifications;
  }

  void missPackets(long packets) {
    outOfSequence += packets;
  }

  /** The receiver of its packets says that some are missing. */
  void refuseSequence(long packets) {
    packetSequenceErrors += packets;
  }

  void runOutOfBuffer(long packets) {
    outOfBuffer += packets;
  }

  SimulatedPort port() {
    return port;
  }

  /** Name of the RDMA device: {@code mlx5_3}. */
  String device() {
    return port.name().substring(0, port.name().indexOf('/'));
  }

  String netdev() {
    return netdev;
  }

  long notificationsSent() {
    return notificationsSent;
  }

  long notificationsHandled() {
    return notificationsHandled;
  }

  long markedPackets() {
    return markedPackets;
  }

  long outOfSequence() {
    return outOfSequence;
  }

  long packetSequenceErrors() {
    return packetSequenceErrors;
  }

  long outOfBuffer() {
    return outOfBuffer;
  }
}
