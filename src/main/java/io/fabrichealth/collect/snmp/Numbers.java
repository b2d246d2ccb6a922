package io.fabrichealth.collect.snmp;

import io.fabrichealth.signal.Unsigned;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.SMIConstants;
import org.snmp4j.smi.UnsignedInteger32;
import org.snmp4j.smi.Variable;

/** Reads the integer types of SMIv2 (RFC 2578). */
final class Numbers {
  private static final int NARROW = 32;
  private static final int SIGNED = 31;
  private static final int WIDE = 64;

  private Numbers() {}

  static boolean isInteger(@Nullable Variable value) {
    return value instanceof Integer32
        || value instanceof UnsignedInteger32
        || value instanceof Counter64;
  }

  /** The number; of a Counter64 the 64 bits as they are, of a signed one with its sign. */
  static long unsigned(@Nullable Variable value) {
    return Objects.requireNonNull(value).toLong();
  }

  /** The number as a double; of a Counter64 without a sign. */
  static double real(Variable value) {
    long bits = value.toLong();
    return value instanceof Counter64 ? Unsigned.toDouble(bits) : bits;
  }

  /** The width of a counter of this type in bits. */
  static int bits(Variable value) {
    return value instanceof Counter64 ? WIDE : value instanceof Integer32 ? SIGNED : NARROW;
  }

  /** The type's name for people. */
  static String type(Variable value) {
    return value.getSyntax() == SMIConstants.SYNTAX_NULL ? "NULL" : value.getSyntaxString();
  }
}
