package io.fabrichealth.cli;

import java.util.Locale;

/** How an answer is printed. */
enum Output {
  TABLE,
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
