package io.fabrichealth.finding;

import java.time.Instant;

/**
 * One line of the sum that a verdict is.
 *
 * @param signal the signal's id in the dictionary, or what else was read
 * @param observed what was seen, with its unit
 * @param expected what was expected, with its unit
 * @param nats log-likelihood ratio of "faulty" against "healthy"; negative speaks for healthy
 * @param from begin of what was observed
 * @param to end of what was observed
 * @param source where it was read: {@code collector device}
 * @param alone nats that the line would carry if its family were the only one that speaks; the sum
 *     of all families has a ceiling, which may shorten {@code nats}
 */
public record Evidence(
    Family family,
    String signal,
    Subject subject,
    String observed,
    String expected,
    Reference reference,
    double nats,
    Instant from,
    Instant to,
    String source,
    double alone) {

  /** A line that no other one shortens. */
  public Evidence(
      Family family,
      String signal,
      Subject subject,
      String observed,
      String expected,
      Reference reference,
      double nats,
      Instant from,
      Instant to,
      String source) {
    this(family, signal, subject, observed, expected, reference, nats, from, to, source, nats);
  }

  /** The same line, of which the sum takes other nats. */
  public Evidence counted(double counts, double byItself) {
    return new Evidence(
        family, signal, subject, observed, expected, reference, counts, from, to, source, byItself);
  }
}
