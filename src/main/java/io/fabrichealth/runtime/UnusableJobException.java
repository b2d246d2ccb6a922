package io.fabrichealth.runtime;

import java.util.List;

/** What was sent of a job cannot be used; nothing of it was taken. */
public final class UnusableJobException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Fault> faults;

  /**
   * What is wrong with a part of it.
   *
   * @param where the field, or the file
   */
  public record Fault(String where, String problem) {}

  UnusableJobException(String message, List<Fault> faults) {
    super(message);
    this.faults = List.copyOf(faults);
  }

  public List<Fault> faults() {
    return faults;
  }
}
