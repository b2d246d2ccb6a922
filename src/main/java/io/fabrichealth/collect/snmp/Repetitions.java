package io.fabrichealth.collect.snmp;

/**
 * How many rows an agent is asked for at once (max-repetitions, RFC 3416): grows while it answers,
 * halves where it does not or says that the answer is too big, and then tries more only now and
 * then.
 */
final class Repetitions {
  private static final int FIRST = 16;
  private static final int MOST = 128;

  /** About 20 kB of an answer; agents cut a longer one as they like. */
  private static final int MOST_BINDINGS = 800;

  private static final int ANSWERS_BEFORE_A_TRY = 100;

  private int current = FIRST;
  private int ceiling = MOST;
  private int answersAtCeiling;

  /**
   * @param columns in one request
   * @param expectedRows that are left, with the one that tells the end; 0 where unknown
   */
  int next(int columns, int expectedRows) {
    int most = Math.clamp(MOST_BINDINGS / columns, 1, current);
    return expectedRows > 0 ? Math.min(most, expectedRows) : most;
  }

  void answered(int asked) {
    if (asked < current) {
      return;
    }
    if (current < ceiling) {
      current = Math.min(ceiling, current + Math.max(1, current / 2));
    } else if (ceiling < MOST && ++answersAtCeiling >= ANSWERS_BEFORE_A_TRY) {
      answersAtCeiling = 0;
      ceiling = Math.min(MOST, ceiling + Math.max(1, ceiling / 4));
    }
  }

  void tooMany(int asked) {
    ceiling = Math.max(1, asked / 2);
    current = ceiling;
    answersAtCeiling = 0;
  }
}
