package io.fabrichealth.detect;

import io.fabrichealth.finding.Finding;
import java.util.List;

/** The outcome of one step of a detector. */
public record Step<S>(S state, List<Finding> findings) {
  public static <S> Step<S> silent(S state) {
    return new Step<>(state, List.of());
  }

  public static <S> Step<S> of(S state, Finding finding) {
    return new Step<>(state, List.of(finding));
  }
}
