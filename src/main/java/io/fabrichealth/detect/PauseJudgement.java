package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who is to blame for what is paused in one priority. */
final class PauseJudgement {
  /** Bad looks from which it is not doubted any more. */
  static final int SURE = 2;

  static final double SURE_NATS = 10;
  private static final long DRAINED_NANOS = 600_000_000_000L;
  private static final double ONE_LOOK_NATS = 4;
  private static final double WEAK_NATS = 3;
  private static final double BUFFER_NATS = 3;

  private final FabricView view;
  private final PauseReader reader;
  private final PauseLimits limits;
  private final List<PausedLink> links;
  private final List<PauseMemory> remembered;
  private final List<Finding> findings;

  /**
   * @param links those that are paused or still accused
   * @param remembered all that is remembered, of any priority
   * @param findings where to put what there is to say
   */
  PauseJudgement(
      FabricView view,
      PauseReader reader,
      PauseLimits limits,
      List<PausedLink> links,
      List<PauseMemory> remembered,
      List<Finding> findings) {
    this.view = view;
    this.reader = reader;
    this.limits = limits;
    this.links = links;
    this.remembered = remembered;
    this.findings = findings;
  }

  void judge() {
    DeadlockSearch deadlocks = new DeadlockSearch(view, limits, links, remembered);
    findings.addAll(deadlocks.search());
    WaitGraph graph = new WaitGraph(links);
    int[] blamed = graph.blamed();
    Map<String, List<Integer>> roots = new LinkedHashMap<>();
    for (int node = 0; node < links.size(); node++) {
      PausedLink link = links.get(node);
      if (graph.isRoot(node) && link.memory().score() > 0) {
        roots.computeIfAbsent(link.receiver().device(), name -> new ArrayList<>()).add(node);
      }
    }
    roots.forEach(
        (device, nodes) -> {
          List<Integer> waiting = graph.waitingFor(nodes);
          String share = share(nodes, waiting.size(), blamed);
          if (isHost(view, device)) {
            nodes.forEach(node -> slowReceiver(node, waiting, share));
          } else if (!deadlocks.contains(device)) {
            pausingSwitch(device, nodes, waiting, share);
          }
        });
  }

  static boolean isHost(FabricView view, String name) {
    Device device = view.fabric().device(name);
    return device != null && device.role() == Role.HOST;
  }

  /** What part of all pause comes from here and from nowhere else; empty if nobody waits. */
  private String share(List<Integer> roots, int waiting, int[] blamed) {
    if (waiting == 0) {
      return "";
    }
    double all = 0;
    double own = 0;
    for (int node = 0; node < links.size(); node++) {
      all += links.get(node).ratio();
      own += blamed[node] == blamed[roots.getFirst()] ? links.get(node).ratio() : 0;
    }
    return "; %d %s for it, which makes %s of all pause"
        .formatted(
            waiting,
            waiting == 1 ? "direction of a link waits" : "directions of links wait",
            Figures.percent(all > 0 ? own / all : 0));
  }

  private void slowReceiver(int node, List<Integer> waiting, String share) {
    PausedLink link = links.get(node);
    PauseMemory memory = link.memory();
    boolean isSure = memory.score() >= SURE;
    double most = memory.weak() && !isBacked(link, waiting) ? WEAK_NATS : SURE_NATS;
    Subject host = Subject.host(link.receiver().device());
    findings.add(
        new Finding(
            PauseGraphDetector.ID,
            host,
            Cause.SLOW_RECEIVER,
            link.evidence(
                view,
                Family.PAUSE,
                memory.signal(),
                observed(memory) + share,
                "less than " + Figures.percent(limits.edge()),
                isSure ? most : Math.min(most, ONE_LOOK_NATS)),
            PortView.instant(memory.sinceNanos()),
            members(List.of(node), waiting)));
    if (isSure && memory.outOfBuffer() > 0) {
      String dropped =
          Figures.count(memory.outOfBuffer())
              + (memory.outOfBuffer() == 1 ? " packet" : " packets")
              + " dropped for want of buffers";
      findings.add(
          new Finding(
              PauseGraphDetector.ID,
              host,
              Cause.SLOW_RECEIVER,
              link.evidence(view, Family.LOSS, "roce.out_of_buffer", dropped, "none", BUFFER_NATS),
              PortView.instant(memory.sinceNanos())));
    }
  }

  /** Whether something else shows that what the frames tell holds up traffic. */
  private boolean isBacked(PausedLink link, List<Integer> waiting) {
    double marked = EndReading.markedShare(reader.signals, view.window(link.sender()));
    return !waiting.isEmpty()
        || link.memory().outOfBuffer() > 0
        || link.memory().storms() > 0
        || marked >= Congestion.MARKED;
  }

  private static String observed(PauseMemory memory) {
    boolean byFrames = memory.weak() && memory.signal().endsWith("_frames");
    String paused =
        (byFrames ? "frames that may pause up to " : "paused ")
            + Figures.percent(memory.ratio())
            + " of the time";
    String storms =
        Figures.count(memory.storms())
            + (memory.storms() == 1 ? " storm" : " storms")
            + " stopped by the watchdog";
    return memory.storms() == 0 ? paused : memory.ratio() > 0 ? paused + ", " + storms : storms;
  }

  /** A switch pauses others, and nothing of what it sends on is paused. */
  private void pausingSwitch(
      String device, List<Integer> nodes, List<Integer> waiting, String share) {
    PausedLink worst = null;
    for (int node : nodes) {
      PausedLink link = links.get(node);
      boolean isSure = link.memory().score() == PauseLook.MOST && !link.memory().weak();
      if (isSure && (worst == null || link.ratio() > worst.ratio())) {
        worst = link;
      }
    }
    if (worst == null
        || !(worst.ratio() >= limits.slow())
        || wasHeldUp(device)
        || wasStillElsewhere(device, worst.priority())
        || !isIdle(device, worst.ratio())) {
      return;
    }
    boolean nothingMoves = worst.memory().stuck() >= SURE && worst.ratio() >= limits.stopped();
    findings.add(
        new Finding(
            PauseGraphDetector.ID,
            Subject.ofSwitch(device),
            nothingMoves ? Cause.PFC_STORM : Cause.BUFFER_MISCONFIGURATION,
            worst.evidence(
                view,
                Family.PAUSE,
                worst.memory().signal(),
                observed(worst.memory())
                    + ", though nothing that the switch sends on is paused or full"
                    + share,
                "less than " + Figures.percent(limits.edge()),
                SURE_NATS),
            PortView.instant(worst.memory().sinceNanos()),
            members(nodes, waiting)));
  }

  /**
   * Whether something that the switch sends on was paused lately: its buffers have yet to drain.
   */
  private boolean wasHeldUp(String device) {
    for (PauseMemory memory : remembered) {
      Link link = view.fabric().link(memory.link());
      PortId sender = link == null ? null : memory.fromA() ? link.a() : link.b();
      if (sender != null && sender.device().equals(device) && isRecent(memory.badNanos())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether nothing at all moved lately on a link of others, as in a deadlock: what stands there
   * backs up through every switch on its way, also where not all of them tell that they are paused.
   */
  private boolean wasStillElsewhere(String device, int priority) {
    for (PauseMemory memory : remembered) {
      if (memory.priority() == priority
          && memory.ratio() >= limits.stopped()
          && isRecent(memory.badNanos())
          && !isEnd(device, memory.link())) {
        return true;
      }
    }
    return false;
  }

  private boolean isEnd(String device, String id) {
    Link link = view.fabric().link(id);
    return link == null || link.ends().stream().anyMatch(end -> end.device().equals(device));
  }

  private boolean isRecent(long badNanos) {
    long nowNanos = PortView.nanos(view.at());
    return badNanos != 0 && nowNanos - badNanos < DRAINED_NANOS;
  }

  /**
   * Whether the switch paused others for longer than any of its ports can have been full, as far as
   * all of them are read and none marks packets.
   */
  private boolean isIdle(String device, double ratio) {
    for (Link link : view.fabric().linksOf(device)) {
      for (PortId end : link.ends()) {
        if (end.device().equals(device) && !isIdle(link, end, ratio)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isIdle(Link link, PortId end, double ratio) {
    PortId peerId = link.peerOf(end);
    SignalWindow own = view.window(end);
    SignalWindow peer = peerId == null ? null : view.window(peerId);
    if (own != null && own.value(reader.signals.operUp, 0) == 0) {
      return true;
    }
    double speed = EndReading.speed(reader.signals, own, view.fabric().port(end));
    double load = EndReading.utilisation(own, reader.signals.outOctets, speed);
    if (Double.isNaN(load)) {
      load = EndReading.utilisation(peer, reader.signals.inOctets, speed);
    }
    boolean tells = reader.hasPause(own, true) || reader.hasPause(peer, false);
    return tells
        && load < ratio - limits.clear()
        && !(EndReading.markedShare(reader.signals, own) >= Congestion.MARKED)
        && !(EndReading.receivedMarkedShare(reader.signals, peer) >= Congestion.MARKED);
  }

  private List<Subject> members(List<Integer> roots, List<Integer> waiting) {
    List<PausedLink> all = new ArrayList<>();
    roots.forEach(node -> all.add(links.get(node)));
    waiting.forEach(node -> all.add(links.get(node)));
    return PausedLink.subjects(all);
  }
}
