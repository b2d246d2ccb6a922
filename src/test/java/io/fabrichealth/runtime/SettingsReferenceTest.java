package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.GeneratedPart;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** The page of the settings is made from the records and their Javadoc. */
class SettingsReferenceTest {
  private static final Path SOURCE =
      Path.of("src/main/java/io/fabrichealth/runtime/SettingsProperties.java");

  private final StringBuilder table = new StringBuilder();
  private final String source;

  SettingsReferenceTest() throws IOException {
    source = Files.readString(SOURCE);
  }

  @Test
  void the_page_of_the_settings_is_that_of_the_records() {
    table.append("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    append("fabric-health", SettingsProperties.class);

    GeneratedPart.of(Path.of("docs/reference/settings.md"), "settings")
        .assertIs(table.toString().strip());
  }

  private void append(String prefix, Class<?> type) {
    for (RecordComponent component : type.getRecordComponents()) {
      String key = prefix + "." + dashed(component.getName());
      if (component.getType() == List.class && element(component).isRecord()) {
        append(key + "[]", element(component));
      } else if (component.getType().isRecord()) {
        append(key, component.getType());
      } else {
        String meaning = meaning(type, component.getName());
        assertThat(meaning).as("@param %s of %s", component.getName(), type).isNotEmpty();
        table.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    key.replaceFirst("fabric-health\\.", ""),
                    value(component.getType()),
                    absent(type, component),
                    meaning));
      }
    }
  }

  /** What the Javadoc of the record says of the component, in one line. */
  private String meaning(Class<?> type, String name) {
    int declared = source.indexOf("record " + type.getSimpleName() + "(");
    String before = source.substring(source.lastIndexOf("/**", declared), declared);
    Matcher parameter =
        Pattern.compile("@param " + name + "\\s+(.*?)(?=@param|\\*/)", Pattern.DOTALL)
            .matcher(before);
    return parameter.find() ? parameter.group(1).replaceAll("[\\s*]+", " ").strip() : "";
  }

  private static String absent(Class<?> type, RecordComponent component) {
    for (var parameter : type.getDeclaredConstructors()[0].getParameters()) {
      DefaultValue value = parameter.getAnnotation(DefaultValue.class);
      if (parameter.getName().equals(component.getName())
          && value != null
          && value.value().length > 0) {
        return "`" + String.join(", ", value.value()) + "`";
      }
    }
    return "";
  }

  private static String value(Class<?> type) {
    if (type == Duration.class) {
      return "duration";
    }
    if (type == DataSize.class) {
      return "size";
    }
    if (type == List.class) {
      return "list of texts";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    return type == Integer.class ? "number" : "text";
  }

  private static Class<?> element(RecordComponent component) {
    return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
