package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/** Runs programs to their end. */
interface ToolRunner {

  /** Takes what a program prints while it runs. */
  interface Output {
    void read(InputStream out) throws IOException;
  }

  /**
   * How a program ended.
   *
   * @param exitCode as the program gave it
   * @param complaint the beginning of what it printed to its error stream, on one line
   */
  record End(int exitCode, String complaint) {}

  /**
   * Runs a program; no shell is between.
   *
   * @param words the program and its arguments
   * @param limit after which it is ended
   * @throws CollectException where it cannot be started or does not end in time
   */
  End run(List<String> words, Duration limit, Output output)
      throws CollectException, InterruptedException;
}
