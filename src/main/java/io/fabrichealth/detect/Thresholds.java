package io.fabrichealth.detect;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures that detection is tuned by, by name: {@code detector.what-it-is}. Immutable. */
public final class Thresholds {
  private final Map<String, Threshold> byName;

  /**
   * One figure.
   *
   * @param name {@code detector.what-it-is}
   * @param least smallest value that is allowed
   * @param most largest value that is allowed
   * @param unit UCUM, {@code 1} where it has none
   */
  public record Threshold(
      String name, double value, double least, double most, String unit, String meaning) {

    /**
     * @throws IllegalArgumentException where the value is not within its bounds
     */
    public Threshold {
      if (!(value >= least && value <= most)) {
        throw new IllegalArgumentException(
            "%s: %s is not between %s and %s %s".formatted(name, value, least, most, unit));
      }
    }

    public Threshold withValue(double changed) {
      return new Threshold(name, changed, least, most, unit, meaning);
    }
  }

  public Thresholds(Collection<Threshold> thresholds) {
    byName = LinkedHashMap.newLinkedHashMap(thresholds.size());
    for (Threshold threshold : thresholds) {
      if (byName.put(threshold.name(), threshold) != null) {
        throw new IllegalArgumentException("threshold '" + threshold.name() + "' stands twice");
      }
    }
  }

  /** All of them, in the order in which they were given. */
  public Collection<Threshold> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /**
   * @throws IllegalArgumentException where there is no such threshold
   */
  public double number(String name) {
    Threshold threshold = byName.get(name);
    if (threshold == null) {
      throw new IllegalArgumentException("threshold '" + name + "' is not defined");
    }
    return threshold.value();
  }

  /** The threshold; null where there is none of this name. */
  public @Nullable Threshold find(String name) {
    return byName.get(name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Thresholds thresholds && byName.equals(thresholds.byName);
  }

  @Override
  public int hashCode() {
    return byName.hashCode();
  }
}
