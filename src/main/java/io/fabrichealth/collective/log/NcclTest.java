package io.fabrichealth.collective.log;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of nccl-tests.
 *
 * @param operation {@code all_reduce}, or empty where nothing tells it
 * @param devices by rank; a run without its list of devices has none
 * @param rows in the order of the table
 * @param outOfBounds wrong values in all, -1 where not told
 * @param averageBusBandwidth GB/s, NaN where not told
 * @param line of the table's head, 0 of JSON
 */
public record NcclTest(
    String source,
    String operation,
    List<Device> devices,
    List<Row> rows,
    long outOfBounds,
    double averageBusBandwidth,
    long line) {

  /**
   * @param bus PCI bus as the table writes it, or empty
   */
  public record Device(int rank, String host, int process, int index, String bus, String model) {}

  /**
   * @param size bytes, of the larger buffer
   * @param redop {@code sum}, or empty
   * @param root -1 where there is none
   * @param outOfPlace null where not run, as inPlace
   */
  public record Row(
      long size,
      long count,
      String type,
      String redop,
      int root,
      @Nullable Timing outOfPlace,
      @Nullable Timing inPlace) {

    /** The better of the two in GB/s, NaN where neither was run. */
    public double busBandwidth() {
      double best = Double.NaN;
      for (Timing timing : new Timing[] {outOfPlace, inPlace}) {
        if (timing != null && !(timing.busBandwidth() <= best)) {
          best = timing.busBandwidth();
        }
      }
      return best;
    }
  }

  /**
   * @param micros NaN where not told, as the bandwidths in GB/s (10^9 bytes a second)
   * @param wrong values, -1 where not checked
   */
  public record Timing(double micros, double algorithmBandwidth, double busBandwidth, long wrong) {}

  public NcclTest {
    devices = List.copyOf(devices);
    rows = List.copyOf(rows);
  }

  /** The number of ranks, 0 where not told. */
  public int ranks() {
    return devices.size();
  }

  /** The hosts, each once, in the order of their ranks. */
  public List<String> hosts() {
    return devices.stream().map(Device::host).distinct().toList();
  }

  /** The row of the largest size that has a bandwidth: there it is the network that counts. */
  public Optional<Row> largest() {
    return rows.stream()
        .filter(row -> row.busBandwidth() > 0)
        .max(Comparator.comparingLong(Row::size));
  }

  /** Whether a value came out wrong: neither speed nor network explains it. */
  public boolean isWrong() {
    return outOfBounds > 0
        || rows.stream().anyMatch(row -> isWrong(row.outOfPlace()) || isWrong(row.inPlace()));
  }

  private static boolean isWrong(@Nullable Timing timing) {
    return timing != null && timing.wrong() > 0;
  }

  /**
   * Bus bandwidth over algorithm bandwidth (nccl-tests, PERFORMANCE.md).
   *
   * @return NaN of an operation that is not known
   */
  public static double factor(String operation, int ranks) {
    return switch (operation) {
      case "all_reduce" -> 2.0 * (ranks - 1) / ranks;
      case "all_gather", "reduce_scatter", "alltoall", "gather", "scatter" ->
          (double) (ranks - 1) / ranks;
      case "broadcast", "reduce", "sendrecv", "hypercube" -> 1;
      default -> Double.NaN;
    };
  }
}
