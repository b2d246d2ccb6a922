package io.fabrichealth.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two ports that are wired together, or one whose peer is unknown (a half-link).
 *
 * <p>Link ids are the two port ids, sorted, joined by {@code --}; a half-link has its port's id.
 *
 * @param a the end whose id sorts first
 * @param b the other end; null for a half-link
 */
public record Link(PortId a, @Nullable PortId b, Tier tier, @Nullable Integer rail) {

  /** Joins two ports in either order. */
  public static Link between(PortId one, PortId other, Tier tier, @Nullable Integer rail) {
    return one.compareTo(other) <= 0
        ? new Link(one, other, tier, rail)
        : new Link(other, one, tier, rail);
  }

  public static Link half(PortId port, @Nullable Integer rail) {
    return new Link(port, null, Tier.OTHER, rail);
  }

  public String id() {
    return b == null ? a.id() : a.id() + "--" + b.id();
  }

  public boolean isHalf() {
    return b == null;
  }

  /** One end, or both. */
  public List<PortId> ends() {
    return b == null ? List.of(a) : List.of(a, b);
  }

  /** The end that is not {@code port}; null for a half-link. */
  public @Nullable PortId peerOf(PortId port) {
    return port.equals(a) ? b : a;
  }
}
