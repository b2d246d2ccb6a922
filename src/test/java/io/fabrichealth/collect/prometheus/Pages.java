package io.fabrichealth.collect.prometheus;

import io.fabrichealth.testing.Readings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Pages of text, read by the mapping that ships. */
final class Pages {
  static final MetricMapping MAPPING = MetricMapping.load(Readings.DICTIONARY);

  private Pages() {}

  static void read(Page page, String text) {
    try {
      page.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
