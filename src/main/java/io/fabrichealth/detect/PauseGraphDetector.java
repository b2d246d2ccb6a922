package io.fabrichealth.detect;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Who pauses the fabric, who only passes the pause on, and who waits for himself.
 *
 * <p><b>What it catches:</b> a receiver that is slower than its link (PCIe, memory, a wedged HCA)
 * and holds up everything that wants to pass where its frames stand: the host is to blame, its link
 * is sound. A switch that pauses others although nothing of what it sends on is paused or full. A
 * cycle of switches each of which waits for the next, so that nothing ever moves again.
 *
 * <p><b>What it compares:</b> the share of time for which each direction of each link was paused,
 * by priority, from the growth of the totals of microseconds. From 1 % on it is part of the graph
 * of who waits for whom; 30 % in two looks make the receiver at the end of the chain suspicious,
 * and all of the time in two looks without a packet a link of a possible deadlock. A healthy host
 * pauses for less than 1 %. A deadlock is a strongly connected component of such links.
 *
 * <p><b>When it stays silent:</b> a chain that ends at a full port is congestion (incast); so is
 * one that ends at a switch which paused others for no longer than one of its ports sent at line
 * rate, marked packets, or could not be read, and one while nothing at all moves on a link of
 * others (a deadlock), which backs up everywhere. A host whose port is at 95 % of its speed or more
 * is not slow, unless its HCA ran out of buffers. Storms of hosts that chain up to a seeming cycle
 * are no deadlock: each turn of it from above to above has a paused host to explain it. A ratio
 * above 1.1 is no ratio; polls in which the link went down or came up do not count. Frames without
 * their duration are weak evidence, since one may pause for anything up to 65,535 quanta: they
 * accuse nobody unless others wait, packets are marked or dropped there.
 *
 * <p><b>How it clears:</b> after two or three looks below 10 %, or ten minutes after the last poll
 * that could be judged. A queue that a watchdog stopped stays accused for ten minutes after the
 * last storm: its counters stand still meanwhile, and storms come back.
 *
 * <p><b>Settings:</b> {@code pause-graph.*}.
 *
 * <p><b>Source:</b> IEEE 802.1Qbb; wait-for graphs as in Hawkeye (SIGCOMM 2025) and DCFIT; the
 * watchdog of SONiC (pfcwd).
 */
public final class PauseGraphDetector implements FabricDetector<PauseGraphDetector.State> {
  static final String ID = "pause-graph";
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final PauseReader reader;
  private final PauseLimits limits;

  public PauseGraphDetector(SignalDictionary dictionary, Thresholds thresholds) {
    reader = new PauseReader(dictionary);
    limits = PauseLimits.of(thresholds);
  }

  /**
   * What is remembered.
   *
   * @param paused directions of links that were paused for much of the time, now or lately
   */
  record State(List<PauseMemory> paused) {}

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
    return new State(List.of());
  }

  @Override
  public Duration every() {
    return EVERY;
  }

  @Override
  public Step<State> step(State state, FabricView view) {
    PauseLook look = new PauseLook(view, reader, limits, state.paused());
    look.readAll();
    if (look.remembered().isEmpty()) {
      return Step.silent(state.paused().isEmpty() ? state : initial());
    }
    List<Finding> findings = new ArrayList<>();
    for (List<PausedLink> links : look.paused()) {
      if (links.stream().anyMatch(link -> link.memory().score() > 0)) {
        new PauseJudgement(view, reader, limits, links, look.remembered(), findings).judge();
      }
    }
    return new Step<>(new State(look.remembered()), findings);
  }
}
