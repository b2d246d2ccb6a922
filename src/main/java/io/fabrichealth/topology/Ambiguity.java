package io.fabrichealth.topology;

import java.util.List;

/**
 * A name that could be several things, so that it was taken for none.
 *
 * @param name the name, id or port in question
 * @param candidates what it could be, at most {@link #MOST_CANDIDATES}, sorted
 */
public record Ambiguity(Kind kind, String name, List<String> candidates) {
  /** More are not listed. */
  public static final int MOST_CANDIDATES = 16;

  public Ambiguity {
    candidates = candidates.stream().distinct().sorted().limit(MOST_CANDIDATES).toList();
  }

  /** What cannot be told. */
  public enum Kind {
    /** Two ports of one device have the alias, or names that differ in case only. */
    PORT_ALIAS,
    /** Several ports have the same MAC or GUID. */
    GLOBAL_ID,
    /** Several devices give themselves the same name or chassis id. */
    DEVICE_NAME,
    /** A port sees several neighbours. */
    NEIGHBOURS,
    /** Several ports see this one at their other end. */
    CLAIMS,
    /** A neighbour's name and its MAC or GUID belong to two devices. */
    NEIGHBOUR_ID
  }
}
