package io.fabrichealth.runtime;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the signal dictionary from the YAML files that ship with the service. */
public final class SignalCatalogue {
  private static final String FILES = "classpath*:signals/*.yaml";
  private static final ObjectReader READER =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(SignalFile.class);

  private SignalCatalogue() {}

  /**
   * @throws IllegalArgumentException where a file does not hold what is expected; the message names
   *     file and entry
   */
  public static SignalDictionary load() {
    List<Signal> signals = new ArrayList<>();
    try {
      for (Resource file : new PathMatchingResourcePatternResolver().getResources(FILES)) {
        read(file).forEach((id, entry) -> signals.add(entry.toSignal(id)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SignalDictionary(signals);
  }

  private static Map<String, Entry> read(Resource file) throws IOException {
    try (InputStream in = file.getInputStream()) {
      SignalFile content = READER.readValue(in);
      return content.signals();
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file.getFilename() + ": " + e.getMessage(), e);
    }
  }

  private record SignalFile(LinkedHashMap<String, Entry> signals) {}

  private record Entry(
      String kind,
      String scope,
      String unit,
      @Nullable Integer bits,
      @JsonProperty("at_end") @Nullable String atEnd,
      @Nullable List<Double> between) {

    Entry {
      if (between != null && (between.size() != 2 || !(between.get(0) < between.get(1)))) {
        throw new IllegalArgumentException("between: expected two numbers, the smaller first");
      }
    }

    Signal toSignal(String id) {
      return new Signal(
          id,
          unit,
          Signal.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
          Signal.Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
          bits == null ? 64 : bits,
          atEnd == null ? Signal.AtEnd.WRAPS : Signal.AtEnd.valueOf(atEnd.toUpperCase(Locale.ROOT)),
          between == null ? Double.NEGATIVE_INFINITY : between.get(0),
          between == null ? Double.POSITIVE_INFINITY : between.get(1));
    }
  }
}
