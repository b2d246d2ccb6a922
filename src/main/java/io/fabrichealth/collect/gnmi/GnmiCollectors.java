package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.signal.SignalDictionary;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Makes the collectors of all gNMI targets, and holds what they share: event loops, threads and
 * profiles. To be closed after the last of them.
 */
public final class GnmiCollectors implements AutoCloseable {
  static final String NAME = "gnmi";

  private final ProfileLoader loader;
  private final SignalDictionary dictionary;
  private final InstantSource clock;
  private final Channels channels = new Channels();
  private final ConcurrentMap<String, Profile> profiles = new ConcurrentHashMap<>();

  private GnmiCollectors(ProfileLoader loader, SignalDictionary dictionary, InstantSource clock) {
    this.loader = loader;
    this.dictionary = dictionary;
    this.clock = clock;
  }

  /**
   * With the profiles on the class path: those that ship with the service, and those of the site.
   *
   * @throws IllegalArgumentException where a profile does not hold what is expected; the message
   *     names file and entry
   */
  public static GnmiCollectors shipped(SignalDictionary dictionary, InstantSource clock) {
    GnmiCollectors collectors =
        new GnmiCollectors(ProfileLoader.shipped(dictionary), dictionary, clock);
    collectors.loader.names().forEach(collectors::profile);
    return collectors;
  }

  /** Names of the profiles on the class path. */
  public static Set<String> profiles(SignalDictionary dictionary) {
    return ProfileLoader.shipped(dictionary).names();
  }

  /**
   * The collector of a target. It connects with its first pass, and stays connected between passes.
   *
   * @throws IllegalArgumentException where there is no profile of that name
   */
  public Collector collector(GnmiTarget target) {
    return new GnmiCollector(target, profile(target.profile()), channels, dictionary, clock);
  }

  private Profile profile(String name) {
    return profiles.computeIfAbsent(name, loader::profile);
  }

  @Override
  public void close() {
    channels.close();
  }
}
