package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.NaturalOrder;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Ports of a switch that go bad together: a gearbox, a line card, the ASIC itself.
 *
 * <p><b>What it catches:</b> three or more neighbouring ports of one switch, and more than 5 % of
 * its ports, whose links began to show errors within ten minutes, outages within one; or nearly all
 * of them. It is one fault, and its links open no incidents of their own: one that goes bad in
 * company waits for one poll.
 *
 * <p><b>What it compares:</b> the sum of what speaks against each link, at either end, with what so
 * many independent faults side by side would need: it is sure before any one link is. Where most of
 * four or eight ports that may share a gearbox are concerned, all of them are named.
 *
 * <p><b>When it stays silent:</b> below 3 nats a link says too little to count; two bad links are
 * two bad links, and so are those that lie apart. Links that are down do not count, so neither do
 * those of a switch or rack that restarts; discards are congestion's; where all links lead to one
 * other device, the device whose own ports show more is named.
 *
 * <p><b>How it clears:</b> when fewer than three of its links are concerned. Until then it keeps
 * its name.
 *
 * <p><b>Settings:</b> {@code shared-component.ports}, {@code shared-component.share-of-ports},
 * {@code shared-component.member-nats}, {@code shared-component.window-seconds}, {@code
 * shared-component.outage-window-seconds}.
 *
 * <p><b>Source:</b> shared components are 10 to 26 % of the causes of corruption (CorrOpt, SIGCOMM
 * 2017), and such ports lie side by side.
 */
public final class SharedComponentDetector
    implements DeviceDetector<SharedComponentDetector.State> {
  /** Ports of the largest component that a switch may have but its ASIC. */
  public static final int LARGEST = 8;

  private static final String ID = "shared-component";
  private static final State NOTHING = new State(List.of(), 0, false);
  private static final int[] GEARBOXES = {4, LARGEST};
  private static final double NEARLY_ALL = .9;

  /** Nats at which a single link is about to open an incident of its own. */
  private static final double URGENT_NATS = 6;

  /** Places, in order, that ports of one component may lie apart. */
  private static final int NEIGHBOURS = 2;

  /** Sizes and positions that a component may have, for each port. */
  private static final double CHOICES = 4;

  private final int leastPorts;
  private final double leastShare;
  private final double memberNats;
  private final Duration window;
  private final Duration outageWindow;

  public SharedComponentDetector(Thresholds thresholds) {
    leastPorts = (int) thresholds.number("shared-component.ports");
    leastShare = thresholds.number("shared-component.share-of-ports");
    memberNats = thresholds.number("shared-component.member-nats");
    window = duration(thresholds, "shared-component.window-seconds");
    outageWindow = duration(thresholds, "shared-component.outage-window-seconds");
  }

  private static Duration duration(Thresholds thresholds, String name) {
    return Duration.ofMillis(Math.round(thresholds.number(name) * 1000));
  }

  /** Whether a finding tells that the link itself went bad lately, as it would in company. */
  public boolean isRecent(Finding finding, Link link, Instant at) {
    return counts(finding, link)
        && finding.nats() >= memberNats
        && finding.since().plus(window).isAfter(at);
  }

  /**
   * What is remembered of a device.
   *
   * @param ports names of the ports of the component, in order; empty where none is at fault
   * @param sinceMillis when the first of its links went bad, since 1970
   * @param isSaid false while its extent may yet grow
   */
  record State(List<String> ports, long sinceMillis, boolean isSaid) {}

  /**
   * What speaks against one link of the device.
   *
   * @param nats at either end, the strongest
   * @param strongest null where nothing does
   * @param isOwn whether the device's own port says so
   */
  private record Suspect(
      Link link, PortId port, double nats, @Nullable Finding strongest, boolean isOwn) {
    Instant since() {
      return strongest == null ? Instant.MAX : strongest.since();
    }

    boolean isOut() {
      return strongest != null && strongest.cause() == Cause.LINK_FLAP;
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Class<State> stateType() {
    return State.class;
  }

  @Override
  public State initial() {
    return NOTHING;
  }

  @Override
  public Step<State> step(State state, DeviceView view) {
    String device = view.device().name();
    List<Link> links = view.fabric().linksOf(device);
    if (!view.device().role().isSwitch() || concerned(links, device, view) < leastPorts) {
      return Step.silent(NOTHING);
    }
    List<Suspect> inOrder = new ArrayList<>(links.size());
    for (Link link : links) {
      if (!link.isHalf()) {
        inOrder.add(suspect(link, device, view));
      }
    }
    inOrder.sort(Comparator.comparing(each -> each.port().port(), NaturalOrder.INSTANCE));
    List<Suspect> component = state.isSaid() ? known(state, inOrder) : find(inOrder);
    if (component.isEmpty()) {
      return Step.silent(NOTHING);
    }
    if (state.isSaid()) {
      return Step.of(state, finding(state, component, inOrder, view));
    }
    State next = remembered(component);
    boolean isUrgent = component.stream().anyMatch(each -> each.nats() >= URGENT_NATS);
    if (!isUrgent && !next.ports().equals(state.ports())) {
      return Step.silent(next);
    }
    State said = new State(next.ports(), next.sinceMillis(), true);
    return Step.of(said, finding(said, component, inOrder, view));
  }

  private int concerned(List<Link> links, String device, DeviceView view) {
    int concerned = 0;
    for (Link link : links) {
      if (!link.isHalf() && suspect(link, device, view).nats() >= memberNats) {
        concerned++;
      }
    }
    return concerned;
  }

  private static Suspect suspect(Link link, String device, DeviceView view) {
    PortId own = link.a().device().equals(device) ? link.a() : link.ends().getLast();
    Finding strongest = null;
    boolean isOwn = false;
    for (PortId end : link.ends()) {
      for (Finding finding : view.findings(end)) {
        if (counts(finding, link) && (strongest == null || finding.nats() > strongest.nats())) {
          strongest = finding;
          isOwn = end.equals(own);
        }
      }
    }
    double nats = strongest == null ? 0 : Math.min(strongest.nats(), Detectors.OPENING_NATS);
    return new Suspect(link, own, nats, strongest, isOwn);
  }

  /** Whether the finding tells that the link itself goes bad, in a way that several may share. */
  private static boolean counts(Finding finding, Link link) {
    boolean isError =
        switch (finding.cause()) {
          case PHY_LANE, PHY_LINK, OPTICS_CONTAMINATION, OPTICS_FAILING, LINK_FLAP -> true;
          case PACKET_LOSS -> !finding.evidence().signal().contains("discards");
          default -> false;
        };
    return isError
        && finding.subject().type() == SubjectType.LINK
        && finding.subject().id().equals(link.id());
  }

  /** The ports of a component that went bad together; empty where there is none. */
  private List<Suspect> find(List<Suspect> inOrder) {
    List<Suspect> together = together(inOrder);
    int least = Math.max(leastPorts, (int) Math.floor(leastShare * inOrder.size()) + 1);
    if (together.size() < least) {
      return List.of();
    }
    if (together.size() >= NEARLY_ALL * inOrder.size()) {
      return inOrder;
    }
    List<Suspect> best = List.of();
    List<Suspect> run = new ArrayList<>();
    int last = Integer.MIN_VALUE / 2;
    for (int index = 0; index < inOrder.size(); index++) {
      Suspect suspect = inOrder.get(index);
      if (together.contains(suspect)) {
        if (index - last > NEIGHBOURS) {
          run = new ArrayList<>();
        }
        run.add(suspect);
        last = index;
        best = sum(run) > sum(best) ? List.copyOf(run) : best;
      }
    }
    return best.size() < least || isOfOtherEnd(best) ? List.of() : completed(best, inOrder);
  }

  /** The most that went bad within one window. */
  private List<Suspect> together(List<Suspect> inOrder) {
    List<Suspect> bad =
        inOrder.stream()
            .filter(suspect -> suspect.nats() >= memberNats)
            .sorted(Comparator.comparing(Suspect::since))
            .toList();
    List<Suspect> most = List.of();
    int from = 0;
    for (int to = 0; to < bad.size(); to++) {
      while (isApart(bad.get(from), bad.get(to))) {
        from++;
      }
      if (to + 1 - from > most.size()) {
        most = bad.subList(from, to + 1);
      }
    }
    return most;
  }

  /** Errors add up until they show, sooner or later; outages of one component come at once. */
  private boolean isApart(Suspect first, Suspect later) {
    Duration most = first.isOut() && later.isOut() ? outageWindow : window;
    return first.since().plus(most).isBefore(later.since());
  }

  private static boolean isOfOtherEnd(List<Suspect> ports) {
    Set<String> others = new HashSet<>();
    int own = 0;
    for (Suspect suspect : ports) {
      PortId peer = suspect.link().peerOf(suspect.port());
      others.add(peer == null ? "" : peer.device());
      own += suspect.isOwn() ? 1 : 0;
    }
    return others.size() == 1 && own * 2 < ports.size();
  }

  /** All of the smallest gearbox that holds them; where none does, with all ports between. */
  private static List<Suspect> completed(List<Suspect> bad, List<Suspect> inOrder) {
    int first = inOrder.indexOf(bad.getFirst());
    int last = inOrder.indexOf(bad.getLast());
    for (int size : GEARBOXES) {
      int end = first / size * size + size;
      if (last < end && end <= inOrder.size()) {
        return inOrder.subList(end - size, end);
      }
    }
    return inOrder.subList(first, last + 1);
  }

  /** The ports of the known component while enough of them are concerned. */
  private List<Suspect> known(State state, List<Suspect> inOrder) {
    List<Suspect> component =
        inOrder.stream().filter(each -> state.ports().contains(each.port().port())).toList();
    long concerned = component.stream().filter(each -> each.nats() >= memberNats).count();
    return concerned >= leastPorts ? component : List.of();
  }

  /** The component, and bad links next to it: it keeps its name, but they may be its own. */
  private List<Suspect> touched(List<Suspect> component, List<Suspect> all) {
    int first = all.indexOf(component.getFirst());
    int last = all.indexOf(component.getLast());
    while (first > 0 && isNextToBad(all, first, -1)) {
      first--;
    }
    while (last < all.size() - 1 && isNextToBad(all, last, 1)) {
      last++;
    }
    return all.subList(first, last + 1).stream()
        .filter(each -> component.contains(each) || each.nats() >= memberNats)
        .toList();
  }

  private boolean isNextToBad(List<Suspect> all, int from, int step) {
    for (int apart = 1; apart <= NEIGHBOURS; apart++) {
      int index = from + apart * step;
      if (index >= 0 && index < all.size() && all.get(index).nats() >= memberNats) {
        return true;
      }
    }
    return false;
  }

  private static State remembered(List<Suspect> component) {
    Instant since =
        component.stream().map(Suspect::since).min(Comparator.naturalOrder()).orElseThrow();
    return new State(
        component.stream().map(each -> each.port().port()).toList(), since.toEpochMilli(), false);
  }

  private static double sum(List<Suspect> ports) {
    return ports.stream().mapToDouble(Suspect::nats).sum();
  }

  private Finding finding(
      State state, List<Suspect> component, List<Suspect> all, DeviceView view) {
    Finding strongest = null;
    Set<String> ids = new TreeSet<>();
    List<Subject> members = new ArrayList<>(component.size());
    int concerned = 0;
    for (Suspect suspect : component) {
      ids.add(suspect.port().id());
      concerned += suspect.nats() >= memberNats ? 1 : 0;
      Finding finding = suspect.strongest();
      if (finding != null && (strongest == null || finding.nats() > strongest.nats())) {
        strongest = finding;
      }
    }
    touched(component, all).forEach(each -> members.add(Subject.of(each.link())));
    String device = view.device().name();
    Subject subject =
        component.size() >= NEARLY_ALL * all.size()
            ? Subject.ofSwitch(device)
            : new Subject(SubjectType.SHARED_COMPONENT, String.join("+", ids));
    Instant since = Instant.ofEpochMilli(state.sinceMillis());
    Evidence evidence =
        new Evidence(
            strongest == null ? Family.PHY : strongest.family(),
            strongest == null ? "" : strongest.evidence().signal(),
            subject,
            "%d of %d neighbouring ports bad since about the same time"
                .formatted(concerned, component.size()),
            "faults of single ports, of " + all.size(),
            Reference.PEERS,
            sum(component) - Math.log(CHOICES * all.size()),
            since,
            view.at(),
            view.collector() + " " + device);
    return new Finding(ID, subject, Cause.SHARED_COMPONENT, evidence, since, members);
  }
}
