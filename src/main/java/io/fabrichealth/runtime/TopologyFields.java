package io.fabrichealth.runtime;

import io.fabrichealth.runtime.SettingsDocument.Fields;
import io.fabrichealth.runtime.SettingsDocument.Items;
import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsDocument.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Takes typed values out of a document and collects what is wrong with them. */
final class TopologyFields {
  private static final int MOST_PROBLEMS = 100;

  private final List<SettingsProblem> problems = new ArrayList<>();

  void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
  }

  /** Whether so much is wrong already that no more is told. */
  boolean isFull() {
    return problems.size() >= MOST_PROBLEMS;
  }

  void reject(@Nullable Node node, String problem, @Nullable String allowed) {
    if (node != null && !isFull()) {
      problems.add(node.at().problem(node.key().isEmpty() ? null : node.key(), problem, allowed));
    }
  }

  /** The object, its keys checked; null, and a problem, where the node is none. */
  @Nullable Fields fields(Node node, Set<String> known) {
    if (!(node instanceof Fields fields)) {
      reject(node, "not an object", "an object with the keys " + sorted(known));
      return null;
    }
    fields
        .values()
        .forEach(
            (key, value) -> {
              if (!known.contains(key)) {
                reject(value, SettingsNames.unknown("key", key, known), sorted(known));
              }
            });
    return fields;
  }

  @Nullable String text(Fields fields, String key) {
    Node node = fields.values().get(key);
    if (node == null) {
      return null;
    }
    if (node instanceof Text text) {
      return text.value() == null || text.value().isBlank() ? null : text.value().strip();
    }
    reject(node, "not a plain value", "a text");
    return null;
  }

  /** The texts of a list; none, and a problem, where it is not one. */
  List<String> texts(Fields fields, String key) {
    Node node = fields.values().get(key);
    if (node == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    if (node instanceof Items items) {
      for (Node item : items.values()) {
        if (item instanceof Text text && text.value() != null && !text.value().isBlank()) {
          texts.add(text.value().strip());
        } else {
          reject(item, "not a text", "a text");
        }
      }
    } else {
      reject(node, "not a list", "a list of texts");
    }
    return texts;
  }

  /** The text; an empty one, and a problem, where there is none. */
  String required(Fields fields, String key) {
    String text = text(fields, key);
    if (text != null) {
      return text;
    }
    reject(fields, "'" + key + "' is missing", "a text");
    return "";
  }

  /** The whole number; null where there is none, or a wrong one. */
  @Nullable Long number(Fields fields, String key, long from, long to) {
    String text = text(fields, key);
    if (text == null) {
      return null;
    }
    String range = to == Long.MAX_VALUE ? from + " or more" : from + " to " + to;
    try {
      long number = Long.parseLong(text);
      if (number >= from && number <= to) {
        return number;
      }
      reject(fields.values().get(key), "'" + text + "' is out of range", range);
    } catch (NumberFormatException e) {
      reject(
          fields.values().get(key),
          "'" + text + "' is no whole number",
          "a whole number, " + range);
    }
    return null;
  }

  long number(Fields fields, String key, long from, long to, long absent) {
    Long number = number(fields, key, from, to);
    return number == null ? absent : number;
  }

  /** Number of a rail or plane; null where there is none. */
  @Nullable Integer index(Fields fields, String key) {
    Long number = number(fields, key, 0, 1 << 20);
    return number == null ? null : Math.toIntExact(number);
  }

  /** The constant of that name, in any case. */
  <E extends Enum<E>> E constant(Fields fields, String key, Set<E> known, E absent) {
    String text = text(fields, key);
    if (text == null) {
      return absent;
    }
    for (E constant : known) {
      if (constant.name().equalsIgnoreCase(text)) {
        return constant;
      }
    }
    List<String> names = known.stream().map(Enum::name).sorted().toList();
    reject(
        fields.values().get(key),
        SettingsNames.unknown(key, text, names),
        String.join(", ", names));
    return absent;
  }

  /** The value, one of those known; null where there is none, or a wrong one. */
  @Nullable String oneOf(Fields fields, String key, List<String> known) {
    String text = text(fields, key);
    if (text != null && !known.contains(text)) {
      reject(
          fields.values().get(key),
          SettingsNames.unknown(key, text, known),
          String.join(", ", known));
      return null;
    }
    return text;
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", new TreeSet<>(names));
  }
}
