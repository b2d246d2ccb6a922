package io.fabrichealth.collect.prometheus;

/** As what an exporter shows a port; the same port may be shown as both. */
enum PortKind {
  /** A port of a host channel adapter, {@code mlx5_0/1}. */
  HCA,
  /** A network interface, {@code eth2}. */
  NETDEV
}
