package io.fabrichealth.collect.infiniband;

import java.util.HexFormat;

/** Global identifiers of nodes and ports: EUI-64, here as a number; 0 is none. */
final class Guid {
  private Guid() {}

  /** {@code 0x} and 16 digits in lower case. */
  static String text(long guid) {
    return "0x" + HexFormat.of().toHexDigits(guid);
  }
}
