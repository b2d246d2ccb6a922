package io.fabrichealth.topology;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A switch or host.
 *
 * @param counterBits widths of counters that are not 64 bits wide on this device, by signal id
 * @param fecBins what the bins of {@code fec.codewords_by_symbol_errors} hold, where the device
 *     merges several numbers of errors into one; empty where bin k holds k
 */
public record Device(
    String name,
    Role role,
    @Nullable String vendor,
    @Nullable String model,
    @Nullable Integer rail,
    @Nullable Integer plane,
    Map<String, Integer> counterBits,
    List<ErrorBin> fecBins) {

  public Device {
    counterBits = Map.copyOf(counterBits);
    fecBins = List.copyOf(fecBins);
  }

  /** A device whose bins, if it has any, hold one number of errors each. */
  public Device(
      String name,
      Role role,
      @Nullable String vendor,
      @Nullable String model,
      @Nullable Integer rail,
      @Nullable Integer plane,
      Map<String, Integer> counterBits) {
    this(name, role, vendor, model, rail, plane, counterBits, List.of());
  }

  /** A device of which nothing but its name and role is known. */
  public static Device of(String name, Role role) {
    return new Device(name, role, null, null, null, null, Map.of());
  }
}
