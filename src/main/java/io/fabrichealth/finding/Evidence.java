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
    String source) {

  public Evidence withNats(double changed) {
    return new Evidence(
        family, signal, subject, observed, expected, reference, changed, from, to, source);
  }
}
