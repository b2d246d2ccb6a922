package io.fabrichealth.scorecard;

/**
 * One line of what is aimed at.
 *
 * @param measured as text; a dash where nothing was measured
 */
record Target(String what, String aim, String measured, Verdict verdict) {

  enum Verdict {
    REACHED,
    MISSED,
    NOT_MEASURED
  }

  static Target atLeast(String what, double aim, double measured) {
    return of(
        what, ">= " + Figures.percent(aim), Figures.percent(measured), measured >= aim, measured);
  }

  static Target atMost(String what, double aim, double measured) {
    return of(
        what, "<= " + Figures.number(aim), Figures.number(measured), measured <= aim, measured);
  }

  static Target secondsAtMost(String what, double aim, double measured) {
    return of(
        what, "<= " + Figures.seconds(aim), Figures.seconds(measured), measured <= aim, measured);
  }

  static Target of(String what, String aim, String measured, boolean reached, double number) {
    Verdict verdict =
        Double.isNaN(number) ? Verdict.NOT_MEASURED : reached ? Verdict.REACHED : Verdict.MISSED;
    return new Target(what, aim, measured, verdict);
  }
}
