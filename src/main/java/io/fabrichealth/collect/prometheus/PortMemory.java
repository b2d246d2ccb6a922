package io.fabrichealth.collect.prometheus;

/** What was learnt of one port from the pages before: what it gives, and from which metrics. */
final class PortMemory {
  /** So many pages without it, and the exporter is taken to have it no more. */
  static final int FORGOTTEN_AFTER = 30;

  /** By signal: 0 never given, else pages since it was given plus one. */
  private final byte[] missed;

  /** By signal: rank of the metrics that gave it last plus one; 0 for none. */
  private final short[] source;

  private int changes;
  private String discontinuity = "sources 0";
  private int pagesWithout;

  PortMemory(int signals) {
    missed = new byte[signals];
    source = new short[signals];
  }

  /** The port is on the page. */
  void seen() {
    pagesWithout = 0;
  }

  /** The port is not on the page; false where it is to be forgotten. */
  boolean unseen() {
    return ++pagesWithout <= FORGOTTEN_AFTER;
  }

  /** The signal is on the page, with or without a value. */
  void given(int signal) {
    missed[signal] = 1;
  }

  /** The counter's value came from the metrics of that rank. */
  void counted(int signal, int rank) {
    short by = (short) (rank + 1);
    if (source[signal] != 0 && source[signal] != by) {
      changes++;
      discontinuity = "sources " + changes;
    }
    source[signal] = by;
  }

  /** The signal is not on the page; true where it lately was, so that something is wrong. */
  boolean missing(int signal) {
    if (missed[signal] == 0) {
      return false;
    }
    missed[signal]++;
    if (missed[signal] > FORGOTTEN_AFTER) {
      missed[signal] = 0;
      return false;
    }
    return true;
  }

  /**
   * Changes when a counter comes from another metric than before: its growth is then that of
   * neither.
   */
  String discontinuity() {
    return discontinuity;
  }
}
