package io.fabrichealth.api;

import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A switch or host, and what is read of it. */
record DeviceView(
    String name,
    @Schema(allowableValues = {"host", "leaf", "spine", "core", "switch"}) String role,
    @Nullable String vendor,
    @Nullable String model,
    @Nullable Integer rail,
    @Nullable Integer plane,
    @Schema(description = "ports that were read") int ports,
    int links,
    SignalsView coverage) {

  /** Which signals of the dictionary are read, each in the best state that it has on any port. */
  record SignalsView(
      @Schema(description = "read by the last pass") List<String> read,
      @Schema(description = "read once, but not by the last pass") List<String> stale,
      @Schema(description = "there, but without a usable value") List<String> unreadable,
      @Schema(description = "never given by the device") List<String> unsupported) {}

  static DeviceView of(Device device, FabricSnapshot snapshot, List<PortReadings> readings) {
    return new DeviceView(
        device.name(),
        device.role().name().toLowerCase(Locale.ROOT),
        device.vendor(),
        device.model(),
        device.rail(),
        device.plane(),
        (int) readings.stream().filter(port -> !port.port().port().isEmpty()).count(),
        snapshot.fabric().linksOf(device.name()).size(),
        coverage(snapshot.dictionary(), readings));
  }

  static SignalsView coverage(SignalDictionary dictionary, List<PortReadings> readings) {
    SortedSet<String> read = new TreeSet<>();
    SortedSet<String> stale = new TreeSet<>();
    SortedSet<String> unreadable = new TreeSet<>();
    SortedSet<String> unsupported = new TreeSet<>();
    for (int signal = 0; signal < dictionary.size(); signal++) {
      String id = dictionary.signal(signal).id();
      boolean known = false;
      boolean hadValue = false;
      boolean fresh = false;
      for (PortReadings port : readings) {
        fresh |= port.isFresh(signal);
        for (int element = 0; element < port.elements(signal) && !fresh; element++) {
          Quality quality = port.quality(signal, element);
          known |= quality != Quality.UNSUPPORTED;
          hadValue |= quality.hasValue();
        }
      }
      (fresh ? read : hadValue ? stale : known ? unreadable : unsupported).add(id);
    }
    return new SignalsView(
        List.copyOf(read), List.copyOf(stale), List.copyOf(unreadable), List.copyOf(unsupported));
  }
}
