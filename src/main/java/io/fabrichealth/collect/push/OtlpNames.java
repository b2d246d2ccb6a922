package io.fabrichealth.collect.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.prometheus.MetricMapping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names of metrics as OpenTelemetry's translation to Prometheus makes them: other characters become
 * underscores, unit and {@code _total} are appended. What a collector has scraped from an exporter
 * comes under the exporter's own name, which is looked for first.
 *
 * @see <a
 *     href="https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/">
 *     Prometheus and OpenMetrics compatibility</a>
 */
final class OtlpNames {
  private static final int MOST_KNOWN = 10_000;
  private static final Pattern ANNOTATION = Pattern.compile("\\{[^}]*\\}");
  private static final Pattern OTHERS = Pattern.compile("[^a-zA-Z0-9_:]+|__+");
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("d", "days"),
          Map.entry("h", "hours"),
          Map.entry("min", "minutes"),
          Map.entry("s", "seconds"),
          Map.entry("ms", "milliseconds"),
          Map.entry("us", "microseconds"),
          Map.entry("ns", "nanoseconds"),
          Map.entry("By", "bytes"),
          Map.entry("KiBy", "kibibytes"),
          Map.entry("MiBy", "mebibytes"),
          Map.entry("GiBy", "gibibytes"),
          Map.entry("KBy", "kilobytes"),
          Map.entry("MBy", "megabytes"),
          Map.entry("GBy", "gigabytes"),
          Map.entry("bit", "bits"),
          Map.entry("m", "meters"),
          Map.entry("V", "volts"),
          Map.entry("A", "amperes"),
          Map.entry("J", "joules"),
          Map.entry("W", "watts"),
          Map.entry("Cel", "celsius"),
          Map.entry("Hz", "hertz"),
          Map.entry("%", "percent"),
          Map.entry("1", ""));
  private static final Map<String, String> PER =
      Map.of(
          "s", "second", "m", "minute", "h", "hour", "d", "day", "w", "week", "mo", "month", "y",
          "year");

  private final MetricMapping mapping;
  private final Map<Named, Integer> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Named, Integer> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  private record Named(String name, String unit, boolean counter) {}

  OtlpNames(MetricMapping mapping) {
    this.mapping = mapping;
  }

  /**
   * The number of a metric in the mapping; -1 where that does not know it.
   *
   * @param counter whether it is a monotonic sum
   */
  int metric(String name, String unit, boolean counter) {
    return known.computeIfAbsent(new Named(name, unit, counter), this::find);
  }

  private int find(Named named) {
    String plain = sanitized(named.name());
    int metric = find(plain);
    return metric >= 0 ? metric : find(translated(named.name(), named.unit(), named.counter()));
  }

  private int find(String name) {
    byte[] text = name.getBytes(UTF_8);
    return mapping.find(text, 0, text.length);
  }

  /** The name with the suffixes that it lacks. */
  static String translated(String name, String annotatedUnit, boolean counter) {
    List<String> suffixes = new ArrayList<>();
    String unit = ANNOTATION.matcher(annotatedUnit).replaceAll("").strip();
    int slash = unit.indexOf('/');
    String main = slash < 0 ? unit : unit.substring(0, slash);
    if (!main.isEmpty()) {
      suffixes.add(UNITS.getOrDefault(main, sanitized(main)));
    }
    if (slash >= 0) {
      String per = unit.substring(slash + 1);
      suffixes.add("per_" + PER.getOrDefault(per, sanitized(per)));
    }
    if (annotatedUnit.equals("1") && !counter) {
      suffixes.add("ratio");
    }
    String full = sanitized(name);
    if (counter) {
      full = full.endsWith("_total") ? full.substring(0, full.length() - 6) : full;
      suffixes.add("total");
    }
    for (String suffix : suffixes) {
      if (!suffix.isEmpty() && !full.endsWith("_" + suffix)) {
        full = full + "_" + suffix;
      }
    }
    return full;
  }

  /** The name of a metric or label with underscores for what Prometheus does not allow in it. */
  static String sanitized(String name) {
    String plain = OTHERS.matcher(name).replaceAll("_");
    return !plain.isEmpty() && Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
  }
}
