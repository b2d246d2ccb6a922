package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.Operation;
import io.fabrichealth.collective.ProcessGroup;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the dumps of a job have in common is kept once: a thousand ranks call the same operations in
 * the same groups. For several threads; as large as the distinct values, up to a bound after which
 * each rank keeps its own.
 */
public final class RecorderValues {
  private static final int MOST = 200_000;

  private final ConcurrentHashMap<Object, Object> values = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, List<Integer>> rankLists = new ConcurrentHashMap<>();

  Operation shared(Operation operation) {
    return (Operation) once(operation);
  }

  ProcessGroup shared(ProcessGroup group) {
    return (ProcessGroup) once(group);
  }

  String shared(String text) {
    return (String) once(text);
  }

  @SuppressWarnings("unchecked") // equal values are of the same type
  List<String> shared(List<String> stack) {
    return (List<String>) once(stack);
  }

  /** The ranks of a text such as {@code [0, 1, 2]}, ascending. */
  List<Integer> ranks(String text) {
    List<Integer> known = rankLists.get(text);
    if (known == null) {
      known = ranksOf(text);
      if (rankLists.size() < MOST) {
        rankLists.put(text, known);
      }
    }
    return known;
  }

  private static List<Integer> ranksOf(String text) {
    TreeSet<Integer> ranks = new TreeSet<>();
    int length = text.length();
    int at = 0;
    while (at < length) {
      long rank = -1;
      for (; at < length && text.charAt(at) >= '0' && text.charAt(at) <= '9'; at++) {
        rank = Math.min(Math.max(rank, 0) * 10 + text.charAt(at) - '0', 1L << 40);
      }
      if (rank >= 0 && rank <= Integer.MAX_VALUE) {
        ranks.add((int) rank);
      }
      at++;
    }
    return List.copyOf(ranks);
  }

  private Object once(Object value) {
    Object known = values.get(value);
    if (known != null) {
      return known;
    }
    if (values.size() >= MOST) {
      return value;
    }
    Object other = values.putIfAbsent(value, value);
    return other == null ? value : other;
  }
}
