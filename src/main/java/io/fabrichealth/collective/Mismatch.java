package io.fabrichealth.collective;

import java.util.NavigableSet;

/**
 * Members of a group that called different things under the same number.
 *
 * @param sequence the first number where they differ
 * @param count how many numbers differ in this way
 * @param culprits the minority; all of them where nothing tells who is wrong
 * @param isDecided whether the culprits are a minority
 * @param usual what the others called
 * @param deviating what the culprits called
 */
record Mismatch(
    MatchedGroup group,
    long sequence,
    int count,
    NavigableSet<Integer> culprits,
    boolean isDecided,
    Signatures.Signature usual,
    Signatures.Signature deviating) {

  Mismatch again() {
    return new Mismatch(group, sequence, count + 1, culprits, isDecided, usual, deviating);
  }

  /** What differs. */
  String difference() {
    if (!usual.name().equals(deviating.name())) {
      return "operation";
    }
    return usual.types().equals(deviating.types()) ? "size" : "type";
  }
}
