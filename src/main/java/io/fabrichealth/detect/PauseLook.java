package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One look at the whole fabric: which links are paused now, and what is remembered of them. */
final class PauseLook {
  /** More bad looks than this make nothing surer. */
  static final int MOST = 3;

  private final FabricView view;
  private final PauseReader reader;
  private final PauseLimits limits;
  private final long nowNanos;
  private final Map<Key, PauseMemory> before = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private int knownPriorities;
  private final List<PauseMemory> remembered = new ArrayList<>();
  private final Map<Integer, List<PausedLink>> byPriority = new TreeMap<>();

  private record Key(String link, boolean fromA, int priority) {}

  PauseLook(FabricView view, PauseReader reader, PauseLimits limits, List<PauseMemory> past) {
    this.view = view;
    this.reader = reader;
    this.limits = limits;
    nowNanos = PortView.nanos(view.at());
    for (PauseMemory memory : past) {
      before.put(new Key(memory.link(), memory.fromA(), memory.priority()), memory);
      known.add(memory.link());
      knownPriorities = Math.max(knownPriorities, memory.priority() + 1);
    }
  }

  List<PauseMemory> remembered() {
    return remembered;
  }

  /** Those that are paused now or still accused, by priority. */
  Collection<List<PausedLink>> paused() {
    return byPriority.values();
  }

  void readAll() {
    for (Link link : view.fabric().links()) {
      PortId b = link.b();
      if (b == null) {
        continue;
      }
      SignalWindow atA = view.window(link.a());
      SignalWindow atB = view.window(b);
      boolean isKnown = !known.isEmpty() && known.contains(link.id());
      if (isKnown || reader.hasMoved(atA) || reader.hasMoved(atB)) {
        boolean disturbed =
            EndReading.isDisturbed(reader.signals, atA)
                || EndReading.isDisturbed(reader.signals, atB);
        int priorities = Math.max(reader.priorities(atA), reader.priorities(atB));
        priorities = isKnown ? Math.max(priorities, knownPriorities) : priorities;
        for (int priority = 0; priority < priorities; priority++) {
          read(link, link.a(), b, priority, disturbed);
          read(link, b, link.a(), priority, disturbed);
        }
      }
    }
  }

  private void read(Link link, PortId sender, PortId receiver, int priority, boolean disturbed) {
    boolean fromA = sender.equals(link.a());
    PauseMemory memory = known.isEmpty() ? null : before.get(new Key(link.id(), fromA, priority));
    PauseReading reading =
        disturbed ? null : reader.read(view, sender, receiver, priority, memory, nowNanos);
    PauseMemory next =
        reading == null
            ? unread(memory)
            : next(memory == null ? PauseMemory.of(link.id(), fromA, priority) : memory, reading);
    if (next != null) {
      remembered.add(next);
    }
    double ratio = reading == null || Double.isNaN(reading.ratio()) ? 0 : reading.ratio();
    if (next != null && isHeld(next)) {
      ratio = Math.max(limits.slow(), ratio);
    }
    boolean isAccused = next != null && next.score() > 0;
    if (ratio >= limits.edge() || isAccused) {
      PauseMemory past = next == null ? PauseMemory.of(link.id(), fromA, priority) : next;
      byPriority
          .computeIfAbsent(priority, unknown -> new ArrayList<>())
          .add(new PausedLink(link, sender, receiver, priority, ratio, past));
    }
  }

  /** Whether a watchdog stopped the queue not long ago: that its counters rest is its doing. */
  private boolean isHeld(PauseMemory memory) {
    return memory.stormNanos() != 0 && nowNanos - memory.stormNanos() < limits.rememberedNanos();
  }

  private @Nullable PauseMemory unread(@Nullable PauseMemory memory) {
    return memory == null || nowNanos - memory.judgedNanos() > limits.rememberedNanos()
        ? null
        : memory;
  }

  /** Null where nothing is worth to be remembered. */
  private @Nullable PauseMemory next(PauseMemory last, PauseReading reading) {
    boolean isNothing =
        last.judgedNanos() == 0 && !(reading.ratio() >= limits.clear()) && reading.storms() == 0;
    if (isNothing) {
      return null;
    }
    if (last.totalNanos() == reading.window().timeNanos()
        && last.signal().equals(reading.signal())) {
      return last;
    }
    boolean isFull = reading.load() >= limits.full() && reading.outOfBuffer() == 0;
    boolean isBad = (reading.ratio() >= limits.slow() && !isFull) || reading.storms() > 0;
    boolean isGood = (reading.ratio() < limits.clear() || isFull) && !isBad && !isHeld(last);
    int score =
        isBad
            ? Math.min(MOST, last.score() + 1)
            : isGood ? Math.max(0, last.score() - 1) : last.score();
    if (score == 0 && !isBad && nowNanos - last.badNanos() > limits.rememberedNanos()) {
      return null;
    }
    boolean begins = isBad && last.score() == 0;
    boolean isShown = isBad && !Double.isNaN(reading.ratio());
    boolean isStuck =
        reading.still() && reading.ratio() >= (reading.weak() ? limits.slow() : limits.stopped());
    return new PauseMemory(
        last.link(),
        last.fromA(),
        last.priority(),
        isShown ? reading.ratio() : begins ? 0 : last.ratio(),
        isShown ? reading.weak() : last.weak(),
        score,
        isStuck ? last.stuck() + 1 : 0,
        !isStuck ? 0 : last.stuck() == 0 ? nowNanos : last.stuckNanos(),
        (begins ? 0 : last.outOfBuffer()) + (score > 0 ? reading.outOfBuffer() : 0),
        (begins ? 0 : last.storms()) + reading.storms(),
        reading.storms() > 0 ? nowNanos : last.stormNanos(),
        reading.signal(),
        reading.total(),
        reading.window().timeNanos(),
        begins ? nowNanos : last.sinceNanos(),
        isBad ? nowNanos : last.badNanos(),
        nowNanos);
  }
}
