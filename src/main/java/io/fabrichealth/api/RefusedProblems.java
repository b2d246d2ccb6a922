package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.api.ReadingsView.Refused;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpStatus;

/** What of one body cannot be used: how much that is, and what is wrong with the first of it. */
final class RefusedProblems {
  private static final int MOST_TOLD = 100;

  private final List<Refused> first = new ArrayList<>();
  private int count;

  /**
   * One more.
   *
   * @param pointer where it stands in the body
   * @param detail what is wrong with it, in a sentence without its subject
   */
  void add(String pointer, String detail) {
    count++;
    if (first.size() < MOST_TOLD) {
      first.add(new Refused(pointer, detail));
    }
  }

  /** More, of which nothing is told. */
  void addUntold(int more) {
    count += more;
  }

  int count() {
    return count;
  }

  /** The first of {@link #count}. */
  List<Refused> first() {
    return first;
  }

  /** Of an answer that says what was taken and what was not. */
  HttpStatus status() {
    return count == 0 ? HttpStatus.OK : HttpStatus.MULTI_STATUS;
  }

  /**
   * Where nothing of the body was left.
   *
   * @param what the body holds, in the plural
   */
  ApiProblem nothingOf(String what) {
    return new ApiProblem(
        Kind.UNUSABLE_READINGS,
        "None of the " + what + " can be used; 'errors' says why.",
        first.stream()
            .map(each -> new Violation(each.pointer(), null, each.detail(), null))
            .toList());
  }
}
