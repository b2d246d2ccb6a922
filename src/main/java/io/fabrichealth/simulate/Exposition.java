package io.fabrichealth.simulate;

import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A page in the Prometheus text exposition format 0.0.4, built family by family. All samples of a
 * family stand together, so a family is written for all HCAs at once.
 */
final class Exposition {
  private final StringBuilder text = new StringBuilder(1 << 16);
  private final Iterable<Hca> hcas;

  Exposition(Iterable<Hca> hcas) {
    this.hcas = hcas;
  }

  /** A counter of each HCA. */
  void counter(String name, String help, Function<Hca, String> labels, ToLongFunction<Hca> value) {
    family(name, "counter", help, labels, value);
  }

  /** A gauge of each HCA. */
  void gauge(String name, String help, Function<Hca, String> labels, ToLongFunction<Hca> value) {
    family(name, "gauge", help, labels, value);
  }

  /** A value of each HCA of which the exporter does not know what it is. */
  void untyped(String name, String help, Function<Hca, String> labels, ToLongFunction<Hca> value) {
    family(name, "untyped", help, labels, value);
  }

  /** A single sample. */
  void gauge(String name, String help, String labels, double value) {
    header(name, "gauge", help);
    text.append(name).append(labels).append(' ').append(value).append('\n');
  }

  private void family(
      String name,
      String type,
      String help,
      Function<Hca, String> labels,
      ToLongFunction<Hca> value) {
    header(name, type, help);
    for (Hca hca : hcas) {
      text.append(name).append(labels.apply(hca)).append(' ');
      text.append(value.applyAsLong(hca)).append('\n');
    }
  }

  private void header(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
