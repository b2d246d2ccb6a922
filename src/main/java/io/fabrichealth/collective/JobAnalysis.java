package io.fabrichealth.collective;

import java.util.List;

/**
 * What the whole of a job's input says.
 *
 * @param findings gravest first
 * @param victims ranks that only waited, ascending
 * @param unknown ranks of which nothing is known, and why
 */
public record JobAnalysis(
    List<CollectiveFinding> findings, List<Integer> victims, List<UnknownRank> unknown) {
  public JobAnalysis {
    findings = List.copyOf(findings);
    victims = List.copyOf(victims);
    unknown = List.copyOf(unknown);
  }
}
