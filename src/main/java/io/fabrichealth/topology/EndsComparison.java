package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the two ends of a link say of it. What an end does not say is no mismatch.
 *
 * <p>Speed, lanes and FEC must be the same; they are compared while no end is known to be down,
 * because a port without a signal tells its default. For the MTU it counts what the link joins:
 *
 * <ul>
 *   <li>A switch may let larger frames through than a host sends: it is a mismatch only where the
 *       switch allows less than the host sends. Hosts give it without the header of layer 2.
 *   <li>Two switches, or two hosts, must agree, but for {@link #HEADER_OCTETS}: some vendors count
 *       the header of layer 2 and its check sum (14 + 4 octets, and up to two VLAN tags of 4), some
 *       do not.
 * </ul>
 */
public final class EndsComparison {
  /** Ethernet header and FCS with two VLAN tags (IEEE 802.3, 802.1Q). */
  public static final int HEADER_OCTETS = 26;

  private EndsComparison() {}

  /**
   * What one end says.
   *
   * @param speedBitsPerSecond 0 where it does not say
   * @param lanes 0 where it does not say
   * @param mtu in octets; 0 where it does not say
   * @param up null where it does not say
   */
  public record End(
      PortId port,
      Role role,
      long speedBitsPerSecond,
      int lanes,
      FecMode fec,
      int mtu,
      @Nullable Boolean up) {
    boolean isDown() {
      return up != null && !up;
    }
  }

  /** What the ends disagree on; both values as numbers or names. */
  public record Mismatch(PortProperty what, String a, String b) {}

  /** All that they disagree on; empty where they agree or do not say. */
  public static List<Mismatch> mismatches(End a, End b) {
    List<Mismatch> found = new ArrayList<>();
    if (!a.isDown() && !b.isDown()) {
      if (differ(a.speedBitsPerSecond(), b.speedBitsPerSecond())) {
        found.add(
            mismatch(
                PortProperty.SPEED_BITS_PER_SECOND,
                a.speedBitsPerSecond(),
                b.speedBitsPerSecond()));
      }
      if (differ(a.lanes(), b.lanes())) {
        found.add(mismatch(PortProperty.LANES, a.lanes(), b.lanes()));
      }
      if (a.fec() != FecMode.UNKNOWN && b.fec() != FecMode.UNKNOWN && a.fec() != b.fec()) {
        found.add(new Mismatch(PortProperty.FEC, a.fec().name(), b.fec().name()));
      }
    }
    if (a.mtu() > 0 && b.mtu() > 0 && mtusClash(a, b)) {
      found.add(mismatch(PortProperty.MTU_BYTES, a.mtu(), b.mtu()));
    }
    return List.copyOf(found);
  }

  private static boolean differ(long one, long other) {
    return one > 0 && other > 0 && one != other;
  }

  private static boolean mtusClash(End a, End b) {
    if (a.role() == b.role() || (a.role().isSwitch() && b.role().isSwitch())) {
      return Math.abs(a.mtu() - b.mtu()) > HEADER_OCTETS;
    }
    End host = a.role() == Role.HOST ? a : b;
    End other = host == a ? b : a;
    return other.mtu() < host.mtu();
  }

  private static Mismatch mismatch(PortProperty what, long a, long b) {
    return new Mismatch(what, Long.toString(a), Long.toString(b));
  }
}
