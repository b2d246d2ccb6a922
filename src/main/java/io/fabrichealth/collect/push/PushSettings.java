package io.fabrichealth.collect.push;

import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How samples that are pushed become devices.
 *
 * @param deviceLabel the label that tells exporters apart, beside {@code job}
 * @param devicePattern its first group, in the label's value, is the name of the device; a value
 *     that does not match is the name as it is
 * @param hostNames whether a device is called as its host calls itself ({@code nodename} of {@code
 *     node_uname_info}, {@code host.name}) where that is known
 * @param role of the devices
 * @param quiet a scrape is whole when no part of it came for so long: a sender's queues send parts
 *     of it one after another
 * @param maxBytes largest body, as sent and decompressed
 * @param maxExporters so many are known at once
 * @param maxWaiting samples that wait for the rest of their scrape, of all exporters
 */
public record PushSettings(
    String deviceLabel,
    Pattern devicePattern,
    boolean hostNames,
    Role role,
    Duration quiet,
    int maxBytes,
    int maxExporters,
    int maxWaiting) {

  /**
   * Host part of {@code instance}; 6 s are more than the five that Prometheus lets a queue wait for
   * its batch to fill.
   */
  public static final PushSettings DEFAULT =
      new PushSettings(
          "instance",
          Pattern.compile("(?:https?://)?(\\[[^\\]]+\\]|[^:/]+)(?::\\d+)?(?:/.*)?"),
          true,
          Role.HOST,
          Duration.ofSeconds(6),
          32 << 20,
          20_000,
          8_000_000);

  /**
   * @throws IllegalArgumentException where the pattern has no group
   */
  public PushSettings {
    if (devicePattern.matcher("").groupCount() < 1) {
      throw new IllegalArgumentException(
          "device pattern '" + devicePattern + "': expected a group that is the device's name");
    }
  }
}
