package io.fabrichealth.collect.prometheus;

/** As what an exporter shows a port; the same port of a host may be shown as the first two. */
enum PortKind {
  /** A port of a host channel adapter, {@code mlx5_0/1}. */
  HCA,
  /** A network interface, {@code eth2}. */
  NETDEV,
  /** The NVLinks of a GPU together; the label is the GPU's number. */
  NVLINK,
  /** A port of an InfiniBand node that the sample names by its GUID: one page, many devices. */
  NODE;

  /** Whether the port belongs to the host whose page it is. */
  boolean isOfHost() {
    return this == HCA || this == NETDEV;
  }
}
