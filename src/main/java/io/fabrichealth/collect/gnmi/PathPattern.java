package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path with variables: {@code /interfaces/interface[name={port}]/state/oper-status}. A name can
 * hold them too: {@code SAI_PORT_STAT_PFC_{priority}_RX_PKTS}; {@code {port:Ethernet*}} says how to
 * ask for all of them where that is not {@code *}.
 */
record PathPattern(List<Elem> elems) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)(?::([^}]*))?\\}");
  private static final Pattern KEY = Pattern.compile("\\[([^=\\]]+)=([^\\]]*)\\]");

  PathPattern {
    elems = List.copyOf(elems);
  }

  /**
   * One element.
   *
   * @param keys in their order, by name
   */
  record Elem(String name, Map<String, Variable> keys) {

    List<Variable> variables() {
      List<Variable> variables = new ArrayList<>();
      Matcher placeholder = PLACEHOLDER.matcher(name);
      while (placeholder.find()) {
        variables.add(variable(placeholder.group(1)));
      }
      return variables;
    }

    /** The name for one number in place of its only variable. */
    String numbered(int number) {
      return PLACEHOLDER.matcher(name).replaceFirst(Integer.toString(number));
    }

    /** What names fit: a group for each variable. */
    Pattern names() {
      StringBuilder regex = new StringBuilder();
      Matcher placeholder = PLACEHOLDER.matcher(name);
      int from = 0;
      while (placeholder.find()) {
        regex.append(Pattern.quote(name.substring(from, placeholder.start())));
        regex.append(variable(placeholder.group(1)).numbersElements() ? "(\\d{1,4})" : "(.+)");
        from = placeholder.end();
      }
      return Pattern.compile(regex + Pattern.quote(name.substring(from)));
    }

    private String wildcard() {
      Matcher placeholder = PLACEHOLDER.matcher(name);
      return placeholder.replaceAll(
          found -> {
            @Nullable String asked = found.group(2);
            return asked == null ? "*" : Matcher.quoteReplacement(asked);
          });
    }
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException where it is none; the message says why
   */
  static PathPattern parse(String text) {
    List<Elem> elems = new ArrayList<>();
    for (String part : split(text)) {
      int bracket = part.indexOf('[');
      String name = bracket < 0 ? part : part.substring(0, bracket);
      Map<String, Variable> keys = new LinkedHashMap<>();
      if (bracket >= 0) {
        Matcher key = KEY.matcher(part);
        int at = bracket;
        while (key.find(at) && key.start() == at) {
          keys.put(key.group(1), keyVariable(key.group(2)));
          at = key.end();
        }
        if (at != part.length()) {
          throw new IllegalArgumentException("'" + part + "': expected name[key={variable}]");
        }
      }
      Elem elem = new Elem(name, keys);
      elem.variables();
      elems.add(elem);
    }
    return new PathPattern(elems);
  }

  private static Variable keyVariable(String text) {
    if (text.equals("*")) {
      return Variable.ANY;
    }
    if (!text.startsWith("{") || !text.endsWith("}")) {
      throw new IllegalArgumentException("'" + text + "': a key is * or {variable}");
    }
    return variable(text.substring(1, text.length() - 1));
  }

  private static Variable variable(String name) {
    Variable variable = Variable.of(name);
    if (variable == null) {
      throw new IllegalArgumentException(
          "'{%s}' is none of %s".formatted(name, List.of(Variable.values())));
    }
    return variable;
  }

  /** Parts between slashes; those within brackets do not count. */
  static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int depth = 0;
    for (int at = 0; at < path.length(); at++) {
      char character = path.charAt(at);
      depth += character == '[' ? 1 : character == ']' ? -1 : 0;
      if (character != '/' || depth > 0) {
        part.append(character);
      } else if (!part.isEmpty()) {
        parts.add(part.toString());
        part.setLength(0);
      }
    }
    if (!part.isEmpty()) {
      parts.add(part.toString());
    }
    return parts;
  }

  PathPattern then(PathPattern below) {
    List<Elem> all = new ArrayList<>(elems);
    all.addAll(below.elems);
    return new PathPattern(all);
  }

  boolean binds(Variable variable) {
    return elems.stream()
        .anyMatch(e -> e.variables().contains(variable) || e.keys().containsValue(variable));
  }

  /** How many elements its readings can have; 1 where it numbers none. */
  int elements() {
    int elements = 1;
    for (Variable variable : Variable.values()) {
      if (variable.numbersElements() && binds(variable)) {
        elements = variable.elements();
      }
    }
    return elements;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Elem elem : elems) {
      text.append('/').append(elem.name());
      elem.keys()
          .forEach(
              (key, variable) ->
                  text.append('[')
                      .append(key)
                      .append('=')
                      .append(
                          variable == Variable.ANY
                              ? "*"
                              : "{" + variable.name().toLowerCase(Locale.ROOT) + "}")
                      .append(']'));
    }
    return text.toString();
  }

  /** The path that asks for all that fits. */
  Path asked() {
    Path.Builder path = Path.newBuilder();
    for (Elem elem : elems) {
      PathElem.Builder asked = PathElem.newBuilder().setName(elem.wildcard());
      elem.keys().keySet().forEach(key -> asked.putKey(key, "*"));
      path.addElem(asked);
    }
    return path.build();
  }
}
