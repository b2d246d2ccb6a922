package io.fabrichealth.verdict;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What would be left of a verdict if one family of its evidence were not there.
 *
 * @param without the family that is left out
 * @param logOdds of the rest, in nats
 * @param probability of the rest, 0 to 1
 */
public record Counterfactual(Family without, double logOdds, double probability) {

  /** One of each family that speaks for or against the fault, the strongest first. */
  public static List<Counterfactual> of(List<Evidence> evidence) {
    double prior = 0;
    Map<Family, Double> strongest = new EnumMap<>(Family.class);
    for (Evidence line : evidence) {
      if (line.family() == Family.PRIOR) {
        prior += line.nats();
      } else if (line.alone() != 0) {
        strongest.merge(line.family(), line.alone(), Math::max);
      }
    }
    double all = prior + strongest.values().stream().mapToDouble(Double::doubleValue).sum();
    return strongest.entrySet().stream()
        .sorted(Map.Entry.<Family, Double>comparingByValue().reversed())
        .map(
            family -> {
              double rest = Math.min(all - family.getValue(), Fusion.CERTAIN);
              return new Counterfactual(family.getKey(), rest, Prior.probability(rest));
            })
        .toList();
  }
}
