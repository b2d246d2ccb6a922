package io.fabrichealth.collective.log;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rank as NCCL's debug log shows it: where it runs and by what its data goes.
 *
 * @param rank in the largest communicator, -1 where none is named
 * @param host as NCCL calls it
 * @param cudaDevice the device's index as the process sees it, which is not the rank
 * @param gpu the device's index on the host, null where not told
 * @param bus the GPU's PCI address as NCCL writes it, or empty
 * @param address by which others call the host, or empty
 * @param network {@code IB}, {@code Socket}, a plugin's name, or empty
 * @param adapters NICs by their index: {@code mlx5_0/1}
 * @param overNetwork channels to other hosts, of which overSocket by TCP and direct from GPU memory
 * @param byAdapter channels of each index of a NIC
 * @param nodes hosts in the largest communicator, 0 where not told
 * @param hasStarted whether it entered a communicator, and hasJoined whether all of them came about
 * @param line of the first
 */
public record NcclRank(
    int rank,
    String host,
    int process,
    int cudaDevice,
    @Nullable Integer gpu,
    String bus,
    String address,
    String network,
    List<String> adapters,
    int overNetwork,
    int overSocket,
    int direct,
    Map<Integer, Integer> byAdapter,
    int nodes,
    boolean hasStarted,
    boolean hasJoined,
    long line) {
  public NcclRank {
    adapters = List.copyOf(adapters);
    byAdapter = Map.copyOf(byAdapter);
  }

  /** Whether its data goes by TCP. */
  public boolean isOverSocket() {
    return overNetwork > 0 ? overSocket > 0 : network.equals("Socket") && nodes != 1;
  }

  /** Whether its data goes by RDMA, but through the host's memory. */
  public boolean isStaged() {
    return overNetwork > overSocket && direct == 0;
  }

  /** The NIC that carries most of its channels; null where not told. */
  public @Nullable String adapter() {
    return byAdapter.entrySet().stream()
        .filter(entry -> entry.getKey() >= 0 && entry.getKey() < adapters.size())
        .max(
            Map.Entry.<Integer, Integer>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .map(entry -> adapters.get(entry.getKey()))
        .orElse(null);
  }
}
