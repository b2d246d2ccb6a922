package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was learnt of one device from the pages before. */
final class DeviceMemory {
  /** A device that does not change is told again after so many pages. */
  private static final int PAGES_BETWEEN_SIGHTINGS = 30;

  /** The kernel computes the boot time anew, so it moves when the clock is set. */
  private static final Duration SAME_BOOT = Duration.ofSeconds(5);

  private final String collector;
  private final Map<String, PortMemory> ports = new LinkedHashMap<>();
  private @Nullable Instant boot;
  private @Nullable Sighting lastSighting;
  private int pagesSinceSighting;
  private int pagesWithout;

  /**
   * @param collector under which its readings go
   */
  DeviceMemory(String collector) {
    this.collector = collector;
  }

  String collector() {
    return collector;
  }

  Map<String, PortMemory> ports() {
    return ports;
  }

  /** The device is on the page. */
  void seen() {
    pagesWithout = 0;
  }

  /** The device is not on the page; false where it is to be forgotten. */
  boolean unseen() {
    return ++pagesWithout <= PortMemory.FORGOTTEN_AFTER;
  }

  /**
   * The boot identity: it stays as it is while the boot time hardly moves.
   *
   * @param told null where the page does not say
   */
  @Nullable String boot(@Nullable Instant told) {
    if (told == null) {
      return boot == null ? null : boot.toString();
    }
    if (boot == null || Duration.between(boot, told).abs().compareTo(SAME_BOOT) > 0) {
      boot = told;
    }
    return boot.toString();
  }

  /** The sighting, where it is to be told; null where it was lately. */
  @Nullable Sighting changed(Sighting seen) {
    boolean isOld = seen.equals(lastSighting);
    if (isOld && ++pagesSinceSighting < PAGES_BETWEEN_SIGHTINGS) {
      return null;
    }
    pagesSinceSighting = 0;
    lastSighting = seen;
    return seen;
  }
}
