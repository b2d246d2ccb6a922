package io.fabrichealth.runtime;

import io.fabrichealth.signal.Signal;
import io.fabrichealth.testing.GeneratedPart;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of the signals is made from the dictionary. */
class SignalsReferenceTest {

  @Test
  void the_page_of_the_signals_is_that_of_the_dictionary() {
    String rows =
        SignalCatalogue.load().signals().stream()
            .sorted(Comparator.comparing(Signal::id))
            .map(SignalsReferenceTest::row)
            .collect(Collectors.joining("\n"));

    GeneratedPart.of(Path.of("docs/reference/signals.md"), "signals")
        .assertIs(
            "| signal | kind | one a | unit | width and end, or believed range |\n| --- | --- | --- | --- | --- |\n"
                + rows);
  }

  private static String row(Signal signal) {
    String end =
        signal.kind() == Signal.Kind.COUNTER
            ? signal.bits() + " bits, " + lower(signal.atEnd())
            : signal.least() > Double.NEGATIVE_INFINITY
                ? "%s to %s".formatted(number(signal.least()), number(signal.most()))
                : "";
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(signal.id(), lower(signal.kind()), lower(signal.scope()), signal.unit(), end);
  }

  private static String number(double value) {
    return value < 1e7 ? "%.0f".formatted(value) : "%.0e".formatted(value);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
