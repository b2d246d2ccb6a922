package io.fabrichealth.collective.log;

import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines and says which words each holds. A carriage return ends a line
 * too: a progress bar is many lines to a terminal. A line longer than {@link #LONGEST} comes in
 * pieces that overlap by {@link #OVERLAP}, so that a message in its midst is whole in one of them.
 */
final class LineSplitter {
  static final int LONGEST = 1 << 16;
  static final int OVERLAP = 1 << 13;

  /** Takes a line without its end. */
  interface Sink {
    /**
     * @param words bits of {@link Keywords}
     * @param number from 1; line feeds only
     */
    void line(byte[] bytes, int from, int to, long words, long number);
  }

  private final Keywords keywords;
  private final Sink sink;
  private byte[] kept = new byte[1024];
  private int held;
  private int state;
  private long words;
  private long number = 1;
  private boolean isOpen;

  LineSplitter(Keywords keywords, Sink sink) {
    this.keywords = keywords;
    this.sink = sink;
  }

  void accept(byte[] bytes, int from, int to) {
    int start = from;
    int now = state;
    long mask = words;
    for (int i = from; i < to; i++) {
      byte letter = bytes[i];
      now = keywords.step(now, letter);
      mask |= keywords.found(now);
      boolean isEnd = letter == '\n' || letter == '\r';
      if (isEnd || held + i - start + 1 >= LONGEST) {
        words = mask;
        end(bytes, start, isEnd ? i : i + 1, isEnd);
        mask = words;
        start = i + 1;
        if (letter == '\n') {
          number++;
        }
      }
    }
    state = now;
    words = mask;
    isOpen = to > from ? bytes[to - 1] != '\n' : isOpen;
    keep(bytes, start, to);
  }

  /** The stream's end ends the last line. */
  void finish() {
    if (held > 0) {
      sink.line(kept, 0, held, words, number);
      held = 0;
    }
  }

  /** The number of lines so far, the one without an end too. */
  long lines() {
    return isOpen ? number : number - 1;
  }

  private void end(byte[] bytes, int from, int to, boolean isWhole) {
    if (held == 0 && isWhole) {
      if (to > from) {
        sink.line(bytes, from, to, words, number);
      }
      words = 0;
      return;
    }
    keep(bytes, from, to);
    sink.line(kept, 0, held, words, number);
    if (isWhole) {
      held = 0;
      words = 0;
    } else {
      int overlap = Math.min(OVERLAP, held);
      System.arraycopy(kept, held - overlap, kept, 0, overlap);
      held = overlap;
      words = keywords.in(kept, 0, held);
    }
  }

  private void keep(byte[] bytes, int from, int to) {
    int more = to - from;
    if (held + more > kept.length) {
      kept = Arrays.copyOf(kept, Math.max(kept.length * 2, held + more));
    }
    System.arraycopy(bytes, from, kept, held, more);
    held += more;
  }
}
