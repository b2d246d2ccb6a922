package io.fabrichealth.runtime;

import io.fabrichealth.engine.EngineInput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened last, as much as people look back. Belongs to one thread. */
final class RecentEvents {
  private static final int MOST = 1_000;

  private final Deque<RecentEvent> events = new ArrayDeque<>();
  private List<RecentEvent> newestFirst = List.of();
  private long number;

  void add(EngineInput.Event event) {
    if (events.size() == MOST) {
      events.removeLast();
    }
    number++;
    events.addFirst(
        new RecentEvent(
            number, event.at(), event.device(), event.port(), event.event(), event.detail()));
    newestFirst = List.of();
  }

  List<RecentEvent> newestFirst() {
    if (newestFirst.isEmpty()) {
      newestFirst = List.copyOf(events);
    }
    return newestFirst;
  }
}
