package io.fabrichealth.collective.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Finds many words in one pass over bytes (Aho and Corasick 1975): nearly every line of a log says
 * nothing here, and each is looked at once.
 */
final class Keywords {
  private static final int BYTES = 256;

  private final int[] next;
  private final long[] found;

  /**
   * @param words in ASCII, by the bits that each of them sets
   */
  Keywords(Map<Long, List<String>> words) {
    int states = 1;
    for (List<String> alike : words.values()) {
      states += alike.stream().mapToInt(String::length).sum();
    }
    int[] table = new int[states * BYTES];
    long[] outputs = new long[states];
    Arrays.fill(table, -1);
    int used = 1;
    for (Map.Entry<Long, List<String>> alike : words.entrySet()) {
      for (String word : alike.getValue()) {
        int state = 0;
        for (byte letter : word.getBytes(StandardCharsets.US_ASCII)) {
          int at = state * BYTES + letter;
          if (table[at] < 0) {
            table[at] = used++;
          }
          state = table[at];
        }
        outputs[state] |= alike.getKey();
      }
    }
    connect(table, outputs);
    next = table;
    found = outputs;
  }

  /** Where no word goes on, the longest end of what was read that begins a word does. */
  private static void connect(int[] table, long[] outputs) {
    int[] fallback = new int[outputs.length];
    Deque<Integer> states = new ArrayDeque<>();
    for (int letter = 0; letter < BYTES; letter++) {
      if (table[letter] < 0) {
        table[letter] = 0;
      } else {
        states.add(table[letter]);
      }
    }
    while (!states.isEmpty()) {
      int state = states.remove();
      outputs[state] |= outputs[fallback[state]];
      for (int letter = 0; letter < BYTES; letter++) {
        int at = state * BYTES + letter;
        int beside = table[fallback[state] * BYTES + letter];
        if (table[at] < 0) {
          table[at] = beside;
        } else {
          fallback[table[at]] = beside;
          states.add(table[at]);
        }
      }
    }
  }

  /** The state after a byte; 0 before the first. */
  int step(int state, byte letter) {
    return next[state * BYTES + (letter & 0xff)];
  }

  /** Bits of the words that end in a state. */
  long found(int state) {
    return found[state];
  }

  long in(byte[] bytes, int from, int to) {
    int state = 0;
    long mask = 0;
    for (int i = from; i < to; i++) {
      state = step(state, bytes[i]);
      mask |= found[state];
    }
    return mask;
  }
}
