package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Role;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an InfiniBand node and its ports are called, the same as where its subnet is read directly.
 *
 * <p>A managed switch describes itself as {@code MF0;leaf1:MQM8700/U1} and is called {@code leaf1};
 * another chip of a chassis has its place behind it, {@code core1/L01/U1}. The ports of a switch go
 * by their number. A host describes each of its adapters as {@code n1 mlx5_0}: then the device is
 * the host, and the port {@code mlx5_0/1}, as everything else that reads the host calls it. Where
 * the description does not name the adapter, its GUID stands for it; where it is empty or the
 * factory's, for the node.
 *
 * @param device name of the device
 * @param portPrefix what stands before the number of a port
 */
record NodeName(String device, String portPrefix) {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern MANAGED = Pattern.compile("MF\\d+;(.+):[^:/]+/(.+)");
  private static final Pattern FACTORY =
      Pattern.compile(
          "(?i).*(mellanox technologies|infiniscale|connect-?ib|connectx|voltaire|qlogic).*"
              + "|mt\\d{4,5}(\\s.*)?");
  private static final Pattern NO_HOST = Pattern.compile("(?i)localhost(\\..*)?|\\(none\\)");
  private static final Pattern GUID = Pattern.compile("(0x)?[0-9a-f]{1,16}");

  /**
   * @param guid as {@link #guid} writes it
   * @param description empty where it is not known
   */
  static NodeName of(String guid, String description, Role role) {
    String text = description.replaceAll("\\p{Cntrl}", " ").strip();
    String[] words = BLANKS.split(text, 2);
    if (text.isEmpty() || FACTORY.matcher(text).matches()) {
      return new NodeName(guid, role == Role.HOST ? guid + "/" : "");
    }
    if (role == Role.HOST) {
      String host = NO_HOST.matcher(words[0]).matches() ? guid : words[0];
      return new NodeName(host, (words.length == 2 ? words[1] : guid) + "/");
    }
    Matcher managed = MANAGED.matcher(text);
    if (!managed.matches()) {
      return new NodeName(text, "");
    }
    String name = managed.group(1).strip();
    String place = managed.group(2).strip();
    return new NodeName(place.equals("U1") ? name : name + "/" + place, "");
  }

  /** The same where another node has that name and ports of the same names. */
  NodeName apart(String guid) {
    return device.equals(guid) ? this : new NodeName(device + " " + guid, portPrefix);
  }

  /** The name of a port by its number. */
  String port(String number) {
    return portPrefix + number;
  }

  /** {@code 0x} and 16 hex digits in lower case; null where the text is no GUID. */
  static @Nullable String guid(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (!GUID.matcher(lower).matches()) {
      return null;
    }
    String digits = lower.startsWith("0x") ? lower.substring(2) : lower;
    return digits.matches("0*") ? null : "0x" + "0".repeat(16 - digits.length()) + digits;
  }
}
