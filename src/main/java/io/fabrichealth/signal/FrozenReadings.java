package io.fabrichealth.signal;

import io.fabrichealth.topology.PortId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Readings of a port that stay as they are: what readers on other threads hold. Only what they need
 * is copied, since there is one for every port.
 *
 * @param base first slot of a signal by ordinal
 * @param count elements of a signal by ordinal
 * @param marks quality by slot, with a bit for "read in the last poll"
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
record FrozenReadings(
    PortId port,
    String collector,
    long timeNanos,
    long readNanos,
    short[] base,
    short[] count,
    long[] raws,
    long[] totals,
    byte[] marks,
    Map<Integer, String> reasons)
    implements PortReadings {
  private static final int FRESH = 0x40;

  static byte fresh(byte quality) {
    return (byte) (quality | FRESH);
  }

  @Override
  public int elements(int signal) {
    return count[signal];
  }

  @Override
  public boolean isFresh(int signal) {
    for (int slot = base[signal]; slot < base[signal] + count[signal]; slot++) {
      if ((marks[slot] & FRESH) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Quality quality(int signal, int element) {
    return element < count[signal]
        ? Quality.of((byte) (marks[base[signal] + element] & ~FRESH))
        : Quality.UNSUPPORTED;
  }

  @Override
  public @Nullable String reason(int signal, int element) {
    return element < count[signal] ? reasons.get(base[signal] + element) : null;
  }

  @Override
  public double value(int signal, int element) {
    return element < count[signal] && (marks[base[signal] + element] & FRESH) != 0
        ? Double.longBitsToDouble(raws[base[signal] + element])
        : Double.NaN;
  }

  @Override
  public long raw(int signal, int element) {
    return element < count[signal] ? raws[base[signal] + element] : 0;
  }

  @Override
  public long total(int signal, int element) {
    return element < count[signal] ? totals[base[signal] + element] : 0;
  }
}
