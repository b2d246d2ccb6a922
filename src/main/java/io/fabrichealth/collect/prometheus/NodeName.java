package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Role;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an InfiniBand node and its ports are called here.
 *
 * <p>A switch goes by its node description, its ports by their number. The description of an HCA
 * is, by default of the Linux stack, {@code <host> <hca>}: then the device is the host and the port
 * {@code <hca>/<number>}, as everything else that reads the host calls it. Where the description
 * does not name the HCA, its GUID stands for it; where it does not name the node, for the node.
 *
 * @param device name of the device
 * @param portPrefix what stands before the number of a port
 */
record NodeName(String device, String portPrefix) {
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** HCA names as the kernel gives them, or as udev does: mlx5_0, hfi1_1, ibp12s0, rocep3s0f1. */
  private static final Pattern HCA = Pattern.compile("[a-z][a-z0-9]*_\\d+|(ib|roce|rdma)[a-z0-9]+");

  /** What older descriptions count HCAs by; the number is not that of the kernel's name. */
  private static final Pattern COUNTED = Pattern.compile("HCA-\\d+");

  private static final Pattern GUID = Pattern.compile("(0x)?[0-9a-f]{1,16}");

  /**
   * @param guid as {@link #guid} writes it
   * @param description empty where it is not known
   * @param role null where it is not known
   */
  static NodeName of(String guid, String description, @Nullable Role role) {
    if (description.isEmpty() || !description.chars().allMatch(c -> c >= ' ' && c != 0x7F)) {
      return new NodeName(guid, "");
    }
    if (role != Role.HOST) {
      return new NodeName(description, "");
    }
    String[] words = BLANKS.split(description, -1);
    if (words.length == 2 && HCA.matcher(words[1]).matches()) {
      return new NodeName(words[0], words[1] + "/");
    }
    boolean isHost =
        words.length == 1 || (words.length == 2 && COUNTED.matcher(words[1]).matches());
    return isHost ? new NodeName(words[0], guid + "/") : new NodeName(guid, "");
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
