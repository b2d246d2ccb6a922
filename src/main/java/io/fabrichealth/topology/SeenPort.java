package io.fabrichealth.topology;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A port as its device tells it.
 *
 * @param index the device's own number of it (ifIndex), which may change at a reload; 0 where it
 *     gives none
 * @param speedBitsPerSecond as negotiated; 0 where it does not say
 * @param lanes as negotiated; 0 where it does not say
 * @param fec as active; {@link FecMode#UNKNOWN} where it does not say
 * @param partNumber of the module or cable; null where it does not say
 * @param mtu in octets; 0 where it does not say
 * @param aliases other names: description, interface alias, MAC (lower case, colons), GUID ({@code
 *     0x} and 16 hex digits in lower case)
 */
public record SeenPort(
    String name,
    long index,
    long speedBitsPerSecond,
    int lanes,
    FecMode fec,
    Media media,
    @Nullable String partNumber,
    int mtu,
    boolean adminUp,
    List<String> aliases) {
  public SeenPort {
    aliases = List.copyOf(aliases);
  }

  /** A port of a device that says no more than this. */
  public SeenPort(
      String name, long speedBitsPerSecond, int mtu, boolean adminUp, List<String> aliases) {
    this(
        name,
        0,
        speedBitsPerSecond,
        0,
        FecMode.UNKNOWN,
        Media.UNKNOWN,
        null,
        mtu,
        adminUp,
        aliases);
  }

  /** The same port under another name, which becomes its first one. */
  SeenPort named(String other) {
    Set<String> others = new LinkedHashSet<>();
    others.add(name);
    others.addAll(aliases);
    others.remove(other);
    return new SeenPort(
        other,
        index,
        speedBitsPerSecond,
        lanes,
        fec,
        media,
        partNumber,
        mtu,
        adminUp,
        List.copyOf(others));
  }

  /** The same port with those of its aliases. */
  SeenPort with(Predicate<String> kept) {
    return new SeenPort(
        name,
        index,
        speedBitsPerSecond,
        lanes,
        fec,
        media,
        partNumber,
        mtu,
        adminUp,
        aliases.stream().filter(kept).toList());
  }

  /** What both tell of one port; where both know something, this one's counts. */
  SeenPort and(SeenPort other) {
    Set<String> names = new LinkedHashSet<>(aliases);
    names.add(other.name);
    names.addAll(other.aliases);
    names.remove(name);
    return new SeenPort(
        name,
        index == 0 ? other.index : index,
        speedBitsPerSecond == 0 ? other.speedBitsPerSecond : speedBitsPerSecond,
        lanes == 0 ? other.lanes : lanes,
        fec == FecMode.UNKNOWN ? other.fec : fec,
        media == Media.UNKNOWN ? other.media : media,
        partNumber == null ? other.partNumber : partNumber,
        mtu == 0 ? other.mtu : mtu,
        adminUp && other.adminUp,
        List.copyOf(names));
  }
}
