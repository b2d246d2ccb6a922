package io.fabrichealth.latency;

/**
 * A candidate that delays what crosses it.
 *
 * @param candidate its number
 * @param micros by how much, at each crossing
 * @param low lower end of the delay's interval of .95
 * @param high its upper end
 * @param nats log of the Bayes factor against "no delay here", other delays given
 * @param flows that cross it
 */
public record SlowFault(
    int candidate, double micros, double low, double high, double nats, int flows) {}
