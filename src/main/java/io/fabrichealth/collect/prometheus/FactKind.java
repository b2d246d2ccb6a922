package io.fabrichealth.collect.prometheus;

/** What a page says beside the readings of its ports. */
enum FactKind {
  /** Value: when the host booted, seconds since 1970. */
  BOOT_TIME(0),
  /** Value: the host's clock, seconds since 1970. */
  CLOCK(0),
  /** Label: the host's own name. */
  SYSTEM_NAME(1),
  /** Labels: interface and its MAC. */
  ADDRESS(2),
  /** Labels: HCA, its port, interface, MAC and GUID. */
  HOST_PORT(5),
  /**
   * Value: when a file that the exporter reads was written, seconds since 1970. Label: its path.
   */
  FILE_TIME(1),
  /** Labels: HCA, its port, and its FEC as the tool calls it. */
  HCA_FEC(3),
  /** Labels: interface, and its FEC as the tool calls it. */
  NETDEV_FEC(2),
  /** Labels: HCA, its port, part number and technology of its module. */
  HCA_MODULE(4),
  /** Labels: interface, part number and technology of its module. */
  NETDEV_MODULE(3);

  private final int labels;

  FactKind(int labels) {
    this.labels = labels;
  }

  /** Number of labels that tell it. */
  int labels() {
    return labels;
  }
}
