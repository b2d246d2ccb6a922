package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Media;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What one page says of its host beside readings. Reused from page to page. */
final class HostFacts {
  private static final int MOST = 8_192;
  private static final Pattern MAC = Pattern.compile("([0-9a-f]{2}:){5}[0-9a-f]{2}");
  private static final String NO_MAC = "00:00:00:00:00:00";

  private final Map<String, String> addresses = new LinkedHashMap<>();
  private final Map<String, HostPort> hostPorts = new LinkedHashMap<>();
  private @Nullable Instant bootTime;
  private @Nullable Instant clock;
  private @Nullable String systemName;
  private int contradictions;

  /** Files whose name begins so are written for this service. */
  private static final String FILE = "fabric";

  private final Map<String, String> fecs = new LinkedHashMap<>();
  private final Map<String, Module> modules = new LinkedHashMap<>();
  private double fileTime = Double.NaN;
  private double clockSeconds = Double.NaN;

  /** What the tools of a host say of a module or cable. */
  private record Module(String partNumber, String technology) {}

  /**
   * What a port is made of.
   *
   * @param fec as the tool calls it; empty where none says
   */
  record Hardware(String fec, Media media, @Nullable String partNumber) {}

  /** What the site says of a port of an HCA: which interface it is, and its other names. */
  record HostPort(String port, String netdev, String mac, String guid) {}

  void clear() {
    addresses.clear();
    hostPorts.clear();
    fecs.clear();
    modules.clear();
    fileTime = Double.NaN;
    clockSeconds = Double.NaN;
    bootTime = null;
    clock = null;
    systemName = null;
    contradictions = 0;
  }

  void take(MetricMapping.Entry.Fact fact, SampleLine line) {
    List<byte[]> labels = fact.labels();
    switch (fact.kind()) {
      case BOOT_TIME -> bootTime = bootTime == null ? instant(line.value.value()) : bootTime;
      case CLOCK -> {
        clockSeconds = line.value.value();
        clock = clock == null ? instant(clockSeconds) : clock;
      }
      case FILE_TIME -> {
        String path = line.text(labels.get(0));
        if (path.substring(path.lastIndexOf('/') + 1).startsWith(FILE)) {
          fileTime = line.value.value();
        }
      }
      case HCA_FEC -> put(fecs, hca(labels, line), line.text(labels.get(2)));
      case NETDEV_FEC -> put(fecs, line.text(labels.get(0)), line.text(labels.get(1)));
      case HCA_MODULE ->
          put(
              modules,
              hca(labels, line),
              new Module(line.text(labels.get(2)), line.text(labels.get(3))));
      case NETDEV_MODULE ->
          put(
              modules,
              line.text(labels.get(0)),
              new Module(line.text(labels.get(1)), line.text(labels.get(2))));
      case SYSTEM_NAME -> {
        String name = line.text(labels.get(0));
        systemName = name.isEmpty() ? null : name;
      }
      case ADDRESS -> {
        String mac = line.text(labels.get(1)).toLowerCase(Locale.ROOT);
        if (isMac(mac) && addresses.size() < MOST) {
          addresses.putIfAbsent(line.text(labels.get(0)), mac);
        }
      }
      case HOST_PORT -> takeHostPort(labels, line);
    }
  }

  private static String hca(List<byte[]> labels, SampleLine line) {
    return line.text(labels.get(0)) + "/" + line.text(labels.get(1));
  }

  private static <V> void put(Map<String, V> into, String port, V value) {
    if (into.size() < MOST) {
      into.putIfAbsent(port, value);
    }
  }

  private void takeHostPort(List<byte[]> labels, SampleLine line) {
    String device = line.text(labels.get(0));
    String port = line.text(labels.get(1));
    if (device.isEmpty() || port.isEmpty() || hostPorts.size() == MOST) {
      contradictions++;
      return;
    }
    String netdev = line.text(labels.get(2));
    boolean known = hostPorts.values().stream().anyMatch(p -> isSame(p.netdev(), netdev));
    HostPort hostPort =
        new HostPort(
            device + "/" + port,
            netdev,
            line.text(labels.get(3)).toLowerCase(Locale.ROOT),
            line.text(labels.get(4)));
    if (known || hostPorts.putIfAbsent(hostPort.port(), hostPort) != null) {
      contradictions++;
    }
  }

  private static boolean isSame(String known, String netdev) {
    return !netdev.isEmpty() && known.equals(netdev);
  }

  static boolean isMac(String text) {
    return !text.equals(NO_MAC) && MAC.matcher(text).matches();
  }

  private static @Nullable Instant instant(double seconds) {
    // Until the year 9999; anything else is no time.
    if (!(seconds > 0 && seconds < 253_402_300_800.0)) {
      return null;
    }
    BigDecimal exact = BigDecimal.valueOf(seconds);
    long whole = exact.longValue();
    return Instant.ofEpochSecond(
        whole, exact.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue());
  }

  @Nullable Instant bootTime() {
    return bootTime;
  }

  /** The host's clock when it was read. */
  @Nullable Instant clock() {
    return clock;
  }

  /** Age of the file by the host's clock; 0 where the page does not say. */
  double fileAgeSeconds() {
    double age = clockSeconds - fileTime;
    return Double.isNaN(age) ? 0 : age;
  }

  /**
   * What is known of a port's hardware, under either of its names.
   *
   * @param netdev empty where it is no interface
   */
  Hardware hardware(String port, String netdev) {
    Module module = modules.getOrDefault(port, modules.get(netdev));
    String part = module == null ? "" : module.partNumber().strip();
    return new Hardware(
        fecs.getOrDefault(port, fecs.getOrDefault(netdev, "")),
        module == null ? Media.UNKNOWN : HardwareText.media(module.technology()),
        part.isEmpty() ? null : part);
  }

  @Nullable String systemName() {
    return systemName;
  }

  /** MACs by interface, those of left-out ones too. */
  Map<String, String> addresses() {
    return addresses;
  }

  /** By name of the HCA's port. */
  Map<String, HostPort> hostPorts() {
    return hostPorts;
  }

  /** Statements about ports that cannot be used: incomplete, or against an earlier one. */
  int contradictions() {
    return contradictions;
  }
}
