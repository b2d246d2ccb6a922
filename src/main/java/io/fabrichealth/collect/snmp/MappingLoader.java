package io.fabrichealth.collect.snmp;

import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads and checks the files of the mapping; what it refuses, it names by file and entry. */
final class MappingLoader {
  private static final String FILES = "classpath*:snmp/*.yaml";
  private static final String DBM = "dBm";
  private static final Duration TABLE_DEADLINE = Duration.ofSeconds(10);
  private static final ObjectReader READER =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(MappingFile.class);

  private final SignalDictionary dictionary;
  private final List<MappedTable> tables = new ArrayList<>();
  private final List<SensorTable> sensors = new ArrayList<>();
  private final List<SensorRule> sensorRules = new ArrayList<>();
  private final List<LaneRule> laneRules = new ArrayList<>();
  private final List<LeftOutRule> leftOut = new ArrayList<>();
  private final Map<Long, String> vendors = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> groups = new HashMap<>();
  private String file = "";

  MappingLoader(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  SnmpMapping loadAll() {
    try {
      Resource[] files = new PathMatchingResourcePatternResolver().getResources(FILES);
      Arrays.sort(files, Comparator.comparing(found -> String.valueOf(found.getFilename())));
      for (Resource found : files) {
        try (InputStream in = found.getInputStream()) {
          add(String.valueOf(found.getFilename()), in);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return mapping();
  }

  /** Takes one file in. */
  void add(String name, InputStream in) {
    file = name;
    MappingFile content;
    try {
      content = READER.readValue(in);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    if (content.tables() != null) {
      content.tables().forEach((table, entry) -> tables.add(table(table, entry)));
    }
    if (content.sensors() != null) {
      content.sensors().forEach((table, entry) -> sensors.add(sensors(table, entry)));
    }
    Map<String, Integer> types = content.sensorTypes() == null ? Map.of() : content.sensorTypes();
    for (MappingFile.Rule rule : orEmpty(content.sensorRules())) {
      sensorRules.add(sensorRule(rule, types));
    }
    for (MappingFile.Lane rule : orEmpty(content.laneRules())) {
      laneRules.add(laneRule(rule));
    }
    for (MappingFile.LeftOut rule : orEmpty(content.leftOut())) {
      leftOut.add(leftOutRule(rule));
    }
    if (content.vendors() != null) {
      vendors.putAll(content.vendors());
    }
  }

  SnmpMapping mapping() {
    return new SnmpMapping(tables, sensors, sensorRules, laneRules, leftOut, vendors);
  }

  private MappedTable table(String name, MappingFile.Table entry) {
    String where = "tables." + name;
    if (!names.add(name)) {
      throw wrong(where, "is defined twice");
    }
    List<MappedReading> mapped = new ArrayList<>();
    for (MappingFile.Reading reading : orEmpty(entry.readings())) {
      mapped.add(reading(name, where + ".readings[" + mapped.size() + "]", reading));
    }
    if (mapped.isEmpty()) {
      throw wrong(where, "has no readings");
    }
    String schedule = entry.schedule() == null ? "every_pass" : entry.schedule();
    if (!schedule.equals("every_pass") && !schedule.equals("slow")) {
      throw wrong(where + ".schedule", "is '" + schedule + "': every_pass or slow");
    }
    return new MappedTable(
        name,
        oid(where + ".oid", entry.oid()),
        index(where + ".index", entry.index()),
        entry.identity(),
        entry.discontinuity(),
        orEmpty(entry.emptyRow()),
        mapped,
        schedule.equals("slow"),
        entry.deadlineSeconds() == null
            ? TABLE_DEADLINE
            : Duration.ofSeconds(entry.deadlineSeconds()));
  }

  private MappedReading reading(String table, String where, MappingFile.Reading entry) {
    Signal signal = signal(where, entry.signal());
    List<Integer> columns = orEmpty(entry.columns());
    if (columns.isEmpty() || columns.stream().anyMatch(column -> column < 1)) {
      throw wrong(where + ".columns", "must be one or more numbers from 1");
    }
    MappedReading.Form form =
        entry.form() == null ? MappedReading.Form.SUM : form(where + ".form", entry.form());
    if (form == MappedReading.Form.MANTISSA_EXPONENT && columns.size() != 2) {
      throw wrong(where + ".columns", "must be the mantissa's and the exponent's");
    }
    boolean counter = signal.kind() == Signal.Kind.COUNTER;
    if (form == MappedReading.Form.HALF && !counter) {
      throw wrong(where + ".form", "is 'half', which is for counters");
    }
    double scale = entry.scale() == null ? 1 : entry.scale();
    if (!(scale > 0) || (counter && scale != Math.rint(scale))) {
      throw wrong(where + ".scale", "must be above 0, and whole for a counter");
    }
    int bits = entry.bits() == null ? 0 : entry.bits();
    if (bits < 0 || bits > 64) {
      throw wrong(where + ".bits", "is " + bits + ": 1 to 64");
    }
    if ((signal.kind() == Signal.Kind.STATE) != (entry.states() != null)) {
      throw wrong(where + ".states", "is needed for a state, and for nothing else");
    }
    int rank = entry.rank() == null ? 0 : entry.rank();
    return new MappedReading(
        table,
        dictionary.ordinal(signal.id()),
        groups.computeIfAbsent(signal.id() + " " + table + " " + rank, key -> groups.size() + 1),
        counter,
        signal.unit().equals(DBM),
        columns,
        form,
        entry.element(),
        scale,
        bits,
        rank,
        entry.states() == null ? Map.of() : entry.states(),
        entry.unreadable() == null ? Map.of() : entry.unreadable());
  }

  private MappedReading.Form form(String where, String text) {
    try {
      return MappedReading.Form.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw wrong(where, "is '" + text + "': sum, half, mantissa_exponent or text");
    }
  }

  private RowIndex index(String where, @Nullable List<String> entry) {
    List<RowIndex.Part> parts = new ArrayList<>();
    for (String part : orEmpty(entry)) {
      parts.add(
          switch (part) {
            case "ifIndex" -> new RowIndex.Part.IfIndex();
            case "element" -> new RowIndex.Part.Element(0);
            case "element+1" -> new RowIndex.Part.Element(1);
            case "any" -> new RowIndex.Part.Any();
            default -> {
              if (!part.matches("\\d{1,9}")) {
                throw wrong(
                    where, "has '" + part + "': ifIndex, element, element+1, any or a number");
              }
              yield new RowIndex.Part.Fixed(Long.parseLong(part));
            }
          });
    }
    if (parts.stream().filter(RowIndex.Part.IfIndex.class::isInstance).count() != 1) {
      throw wrong(where, "must have one ifIndex");
    }
    return new RowIndex(parts);
  }

  private SensorTable sensors(String name, MappingFile.Sensors entry) {
    String where = "sensors." + name;
    MappingFile.Columns columns = entry.columns();
    if (columns == null) {
      throw wrong(where + ".columns", "is missing");
    }
    return new SensorTable(
        name,
        oid(where + ".oid", entry.oid()),
        columns.type(),
        columns.scale(),
        columns.precision(),
        columns.value(),
        columns.status(),
        entry.zeroDbm());
  }

  private SensorRule sensorRule(MappingFile.Rule entry, Map<String, Integer> types) {
    String where = "sensor_rules[" + sensorRules.size() + "]";
    Signal signal = signal(where, entry.signal());
    Set<Integer> numbers = new HashSet<>();
    for (String type : orEmpty(entry.types())) {
      Integer number = types.get(type);
      if (number == null) {
        throw wrong(where + ".types", "has '" + type + "': one of " + types.keySet());
      }
      numbers.add(number);
    }
    return new SensorRule(
        dictionary.ordinal(signal.id()),
        signal.scope() != Signal.Scope.DEVICE,
        signal.scope() == Signal.Scope.LANE,
        signal.unit().equals(DBM),
        numbers,
        required(where + ".text", entry.text()),
        entry.scale() == null ? 1 : entry.scale());
  }

  private LaneRule laneRule(MappingFile.Lane entry) {
    String where = "lane_rules[" + laneRules.size() + "]";
    boolean ofContainer = entry.container() != null;
    return new LaneRule(
        required(where, ofContainer ? entry.container() : entry.text()),
        ofContainer,
        entry.first() == null ? 0 : entry.first());
  }

  private LeftOutRule leftOutRule(MappingFile.LeftOut entry) {
    String where = "left_out[" + leftOut.size() + "]";
    if (entry.name() == null) {
      throw wrong(where + ".name", "is missing");
    }
    return new LeftOutRule(
        entry.name(),
        Set.copyOf(orEmpty(entry.types())),
        Set.copyOf(orEmpty(entry.notTypes())),
        optional(where + ".port", entry.port()),
        optional(where + ".not_port", entry.notPort()),
        optional(where + ".system", entry.system()));
  }

  private Signal signal(String where, @Nullable String id) {
    if (id == null || !dictionary.contains(id)) {
      throw wrong(where + ".signal", "is '" + id + "', which the signal dictionary does not have");
    }
    return dictionary.signal(dictionary.ordinal(id));
  }

  private OID oid(String where, @Nullable String text) {
    if (text == null || !text.matches("\\d+(\\.\\d+)+")) {
      throw wrong(where, "is '" + text + "': numbers joined by dots");
    }
    return new OID(text);
  }

  private Pattern required(String where, @Nullable String text) {
    Pattern pattern = optional(where, text);
    if (pattern == null) {
      throw wrong(where, "is missing");
    }
    return pattern;
  }

  private @Nullable Pattern optional(String where, @Nullable String text) {
    try {
      return text == null ? null : Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw wrong(where, "is no regular expression: " + e.getMessage());
    }
  }

  private IllegalArgumentException wrong(String where, String what) {
    return new IllegalArgumentException(file + ": " + where + " " + what);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
