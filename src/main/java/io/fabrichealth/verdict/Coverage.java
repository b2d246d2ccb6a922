package io.fabrichealth.verdict;

import java.util.List;

/**
 * How much of what should be read of a link is read.
 *
 * @param ratio 0 to 1: supported and fresh signals among those that detection uses
 * @param missing what is not, as {@code port signal reason}
 */
public record Coverage(double ratio, List<String> missing) {
  public static final Coverage NONE = new Coverage(0, List.of());

  public Coverage {
    missing = List.copyOf(missing);
  }
}
