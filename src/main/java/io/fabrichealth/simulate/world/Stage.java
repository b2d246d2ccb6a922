package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where faults are set up: picks what they are at, keeps them apart, and writes the truth. */
final class Stage {
  /** Log-likelihood ratio at which a detector of a whole fabric may speak, nats. */
  private static final double ENOUGH_NATS = 27.3;

  /** Between a device's answer and the record of it. */
  private static final double COLLECTED_SECONDS = .2;

  private static final double EARLIEST = .1;
  private static final double LATEST = .25;
  private static final double MOST_QUIET_SECONDS = 3600;

  private final World world;
  private final List<Truth.Fault> faults = new ArrayList<>();
  private final List<Truth.Confounder> confounders = new ArrayList<>();
  private final Set<LinkModel> taken = new HashSet<>();
  private final Set<DeviceModel> takenDevices = new HashSet<>();
  private Severity severity = Severity.MEDIUM;
  private int faultClass;
  private @Nullable String wanted;
  private double onset;
  private boolean hard;

  Stage(World world) {
    this.world = world;
  }

  /** Begins with a fault of that class. */
  void begin(
      int newClass, Severity newSeverity, @Nullable String subject, @Nullable Duration after) {
    faultClass = newClass;
    severity = newSeverity;
    // Of several joined ones the first leads to the rest.
    wanted = subject == null ? null : subject.split("\\+", 2)[0];
    if (after == null) {
      double earliest = Math.min(MOST_QUIET_SECONDS, EARLIEST * seconds());
      onset = earliest + draws().uniform(0, Math.min(MOST_QUIET_SECONDS, LATEST * seconds()));
    } else {
      onset = after.toNanos() / 1e9;
    }
    onset = Math.ceil(onset / Activity.STEP) * Activity.STEP;
  }

  /**
   * Ends with that fault.
   *
   * @throws IllegalArgumentException where it is at nothing that was wanted
   */
  void end() {
    if (wanted != null) {
      throw new IllegalArgumentException(
          "a fault of class %d cannot be at '%s' in fabric %s"
              .formatted(faultClass, wanted, world.scenario().fabric()));
    }
  }

  World world() {
    return world;
  }

  Draws draws() {
    return world.draws();
  }

  Severity severity() {
    return severity;
  }

  /** Length of the run. */
  double seconds() {
    return world.scenario().seconds();
  }

  double pollSeconds() {
    return world.scenario().pollSeconds();
  }

  /** When the fault begins. */
  double onset() {
    return onset;
  }

  /** A time between two parts of the run. */
  double between(double from, double to) {
    return draws().uniform(from, to) * seconds();
  }

  /** A link that nothing else happens to, the wanted one where one is. */
  LinkModel link(Predicate<LinkModel> which) {
    if (wanted != null) {
      for (LinkModel link : world.site().links()) {
        if (isNamed(link, wanted)) {
          wanted = null;
          taken.add(link);
          return link;
        }
      }
    }
    return other(which);
  }

  private boolean isNamed(LinkModel link, String id) {
    return link.id().equals(id)
        || world.ends(link).stream()
            .anyMatch(
                end ->
                    end.id().equals(id)
                        || (!end.device().isSwitch() && end.device().name().equals(id)));
  }

  /** A link that nothing else happens to. */
  LinkModel other(Predicate<LinkModel> which) {
    List<LinkModel> fit =
        world.site().links().stream()
            .filter(link -> !taken.contains(link))
            .filter(
                link -> world.ends(link).stream().noneMatch(e -> takenDevices.contains(e.device())))
            .filter(which)
            .toList();
    if (fit.isEmpty()) {
      throw new IllegalArgumentException(
          "fabric %s has no link left for a fault of class %d"
              .formatted(world.scenario().fabric(), faultClass));
    }
    LinkModel link = draws().one(fit);
    taken.add(link);
    return link;
  }

  void take(LinkModel link) {
    taken.add(link);
  }

  void take(DeviceModel device) {
    takenDevices.add(device);
  }

  /** Whether nothing happens at the link yet. */
  boolean isFree(LinkModel link) {
    return !taken.contains(link);
  }

  /** The wanted device, or that of the wanted port, or one for which the condition holds. */
  DeviceModel device(Predicate<DeviceModel> which) {
    if (wanted != null) {
      int colon = wanted.indexOf(':');
      DeviceModel named = world.site().device(colon < 0 ? wanted : wanted.substring(0, colon));
      if (named != null) {
        wanted = null;
        return named;
      }
    }
    List<DeviceModel> fit = fitting(which);
    if (fit.isEmpty()) {
      throw new IllegalArgumentException(
          "fabric %s has no device left for a fault of class %d"
              .formatted(world.scenario().fabric(), faultClass));
    }
    return draws().one(fit);
  }

  /** Whether there is a device for which the condition holds that nothing happens to yet. */
  boolean hasDevice(Predicate<DeviceModel> which) {
    return !fitting(which).isEmpty();
  }

  private List<DeviceModel> fitting(Predicate<DeviceModel> which) {
    List<DeviceModel> fit = new ArrayList<>();
    for (DeviceModel device : world.site().devices()) {
      if (!takenDevices.contains(device) && which.test(device)) {
        fit.add(device);
      }
    }
    return fit;
  }

  static boolean isOfHost(LinkModel link) {
    return link.link().tier() == Tier.HOST_LEAF;
  }

  /** Whether both ends tell errors before correction. */
  boolean isSeenByBoth(LinkModel link) {
    return world.ends(link).stream()
        .allMatch(end -> end.device().reporting().tellsErrorsBeforeCorrection());
  }

  void at(double seconds, DoubleConsumer what) {
    world.at(seconds, what);
  }

  /** When the first of a link's ends is polled after that time. */
  double nextPoll(LinkModel link, double seconds) {
    double first = seenAfter(seconds);
    for (PortModel end : world.ends(link)) {
      double phase = end.device().pollPhase();
      double passes = Math.ceil((seconds - phase) / pollSeconds());
      first = Math.min(first, phase + passes * pollSeconds() + COLLECTED_SECONDS);
    }
    return first;
  }

  /** When the poll that follows that time is surely in. */
  double seenAfter(double seconds) {
    return seconds + pollSeconds() + 1;
  }

  /**
   * When counts at one rate can be told from counts at another, beginning at that time.
   *
   * @param usual counts a second
   * @param now counts a second
   */
  double toldAfter(double from, double usual, double now) {
    double least = Math.max(usual, 1e-9);
    double natsPerSecond = now * Math.log(now / least) - (now - least);
    return Math.max(seenAfter(from), from + ENOUGH_NATS / Math.max(natsPerSecond, 1e-9));
  }

  /** The fault has its hardest confounder beside it. */
  void makeHard() {
    hard = true;
  }

  boolean isHard() {
    return hard;
  }

  /** What goes into the truth of a fault. */
  final class Telling {
    private final String cause;
    private final Truth.Subject subject;
    private final Map<String, Object> parameters = new TreeMap<>();
    private final List<String> accepted = new ArrayList<>();
    private final List<Truth.Subject> aliases = new ArrayList<>();
    private final List<Truth.Subject> members = new ArrayList<>();
    private double from = onset;
    private double observable = seenAfter(onset);
    private @Nullable Double end;

    private Telling(String cause, Truth.Subject subject) {
      this.cause = cause;
      this.subject = subject;
      accepted.add(cause);
    }

    Telling with(String parameter, Object value) {
      parameters.put(parameter, value);
      return this;
    }

    Telling accept(String... causes) {
      accepted.addAll(List.of(causes));
      return this;
    }

    Telling alias(Truth.Subject... subjects) {
      aliases.addAll(List.of(subjects));
      return this;
    }

    Telling members(Collection<Truth.Subject> subjects) {
      members.addAll(subjects);
      return this;
    }

    Telling from(double seconds) {
      from = seconds;
      observable = seenAfter(seconds);
      return this;
    }

    Telling observableFrom(double seconds) {
      observable = seconds;
      return this;
    }

    Telling until(double seconds) {
      end = seconds;
      return this;
    }

    void tell() {
      faults.add(
          new Truth.Fault(
              "f" + (faults.size() + 1),
              faultClass,
              cause,
              subject,
              members,
              world.time(from),
              world.time(observable),
              end == null ? null : world.time(end),
              severity.toString(),
              parameters,
              accepted,
              aliases));
    }
  }

  Telling fault(String cause, Truth.Subject subject) {
    return new Telling(cause, subject);
  }

  /** A fault of a link; its ports mean the same. */
  Telling fault(String cause, LinkModel link) {
    Telling telling = new Telling(cause, subject(link));
    world.ends(link).forEach(end -> telling.alias(subject(end)));
    return telling.observableFrom(nextPoll(link, onset));
  }

  void confounder(
      int ofClass, Truth.Subject subject, double from, double to, String note, String... allowed) {
    confounders.add(
        new Truth.Confounder(
            ofClass, subject, world.time(from), world.time(to), note, List.of(allowed)));
  }

  static Truth.Subject subject(LinkModel link) {
    return new Truth.Subject("link", link.id());
  }

  static Truth.Subject subject(PortModel port) {
    return new Truth.Subject("port", port.id());
  }

  static Truth.Subject subject(DeviceModel device) {
    return new Truth.Subject(device.isSwitch() ? "switch" : "host", device.name());
  }

  Truth.Subject fabric() {
    return new Truth.Subject("fabric", world.scenario().fabric());
  }

  List<Truth.Fault> faults() {
    return faults;
  }

  List<Truth.Confounder> confounders() {
    return confounders;
  }
}
