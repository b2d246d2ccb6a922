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
  HOST_PORT(5);

  private final int labels;

  FactKind(int labels) {
    this.labels = labels;
  }

  /** Number of labels that tell it. */
  int labels() {
    return labels;
  }
}
