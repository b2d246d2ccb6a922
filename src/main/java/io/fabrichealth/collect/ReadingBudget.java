package io.fabrichealth.collect;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How many readings one pass over one device may bring. What is over it is left out, the least
 * telling signals first and always the same ones, so that what is kept has no holes: queues, then
 * values of modules, traffic, pauses, lanes and bins, error counters, and states last. Where a
 * signal of a port is left out, its quality says so: it is not read, which is not zero.
 */
public final class ReadingBudget {
  private final SignalDictionary dictionary;
  private final int most;
  private final String reason;

  /** By ordinal: how many signals are more telling. */
  private final int[] place;

  /**
   * What is left of an outcome.
   *
   * @param dropped readings that were left out
   */
  public record Limited(CollectOutcome outcome, int dropped) {}

  /**
   * @param most readings of one device and pass
   */
  public ReadingBudget(SignalDictionary dictionary, int most) {
    this.dictionary = dictionary;
    this.most = most;
    reason = "over the budget of " + most + " readings";
    place =
        places(
            dictionary.size(),
            Comparator.<Integer>comparingInt(ordinal -> rank(dictionary.signal(ordinal)))
                .thenComparing(ordinal -> dictionary.signal(ordinal).id()));
  }

  /** From 0, which is kept the longest. */
  private static int rank(Signal signal) {
    if (signal.kind() == Signal.Kind.STATE) {
      return 0;
    }
    return switch (signal.scope()) {
      case PORT -> {
        if (signal.kind() == Signal.Kind.COUNTER) {
          yield isTraffic(signal) ? 5 : 1;
        }
        // What the link is: speed, width, MTU.
        yield signal.family().equals("port") && !signal.id().endsWith("_per_second") ? 0 : 6;
      }
      case BIN -> 2;
      case LANE -> signal.kind() == Signal.Kind.COUNTER ? 3 : 6;
      case PRIORITY -> 4;
      case DEVICE -> 7;
      case QUEUE -> 8;
    };
  }

  private static boolean isTraffic(Signal signal) {
    return signal.family().equals("port")
        && (signal.id().endsWith("_octets") || signal.id().endsWith("_packets"));
  }

  /** The outcome as far as the budget of each of its devices goes. */
  public Limited limit(CollectOutcome outcome) {
    if (outcome.batches().stream().allMatch(batch -> batch.size() <= most)) {
      return new Limited(outcome, 0);
    }
    int dropped = 0;
    List<PollBatch> batches = new ArrayList<>();
    for (PollBatch batch : outcome.batches()) {
      if (batch.size() <= most) {
        batches.add(batch);
      } else {
        batches.add(limit(batch));
        dropped += batch.size() - most;
      }
    }
    return new Limited(
        new CollectOutcome(
            batches,
            outcome.sightings(),
            outcome.probes(),
            outcome.records(),
            outcome.leftOut(),
            outcome.problems(),
            outcome.remarks()),
        dropped);
  }

  private PollBatch limit(PollBatch batch) {
    int[] portPlace = places(batch.ports().size(), Comparator.comparing(batch.ports()::get));
    int[] order =
        order(
            batch.size(),
            Comparator.<Integer>comparingInt(reading -> place[batch.signal(reading)])
                .thenComparingInt(reading -> portPlace[batch.portIndex(reading)])
                .thenComparingInt(batch::element));
    PollBatch.Builder kept = copyOf(batch);
    for (int i = 0; i < most; i++) {
      copy(batch, order[i], kept);
    }
    mark(batch, order, kept);
    return kept.build(batch.complete());
  }

  /** The numbers from 0 in this order. */
  private static int[] order(int count, Comparator<Integer> by) {
    return IntStream.range(0, count).boxed().sorted(by).mapToInt(Integer::intValue).toArray();
  }

  /** The place of each number in this order. */
  private static int[] places(int count, Comparator<Integer> by) {
    int[] order = order(count, by);
    int[] places = new int[count];
    for (int at = 0; at < count; at++) {
      places[order[at]] = at;
    }
    return places;
  }

  /** Says of whole signals of ports that they were left out; no more of that than of readings. */
  private void mark(PollBatch batch, int[] order, PollBatch.Builder kept) {
    Set<Long> known = new HashSet<>();
    for (int i = 0; i < order.length && known.size() < 2L * most; i++) {
      int port = batch.portIndex(order[i]);
      int signal = batch.signal(order[i]);
      if (known.add((long) port << Integer.SIZE | signal) && i >= most) {
        kept.absent(port, signal, 0, Quality.UNREADABLE, reason);
      }
    }
  }

  private PollBatch.Builder copyOf(PollBatch batch) {
    PollBatch.Builder copy =
        PollBatch.builder(batch.device(), batch.collector(), batch.at())
            .deviceTime(batch.deviceTime())
            .boot(batch.boot());
    for (String port : batch.ports()) {
      copy.port(port);
      String discontinuity = batch.discontinuity(port);
      if (discontinuity != null) {
        copy.discontinuity(port, discontinuity);
      }
    }
    for (int signal = 0; signal < dictionary.size(); signal++) {
      if (batch.counterBits(signal) > 0) {
        copy.counterBits(signal, batch.counterBits(signal));
      }
    }
    return copy;
  }

  private static void copy(PollBatch from, int reading, PollBatch.Builder to) {
    int port = from.portIndex(reading);
    int signal = from.signal(reading);
    int element = from.element(reading);
    Quality quality = from.quality(reading);
    if (quality == Quality.SATURATED) {
      to.saturated(port, signal, element, from.raw(reading));
    } else if (quality.hasValue() && quality != Quality.STALE) {
      to.counter(port, signal, element, from.raw(reading));
    } else {
      to.absent(port, signal, element, quality, from.reason(reading));
    }
  }
}
