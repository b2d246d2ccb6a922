package io.fabrichealth.runtime;

import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsProperties.GnmiEntry;
import io.fabrichealth.runtime.SettingsProperties.PrometheusEntry;
import io.fabrichealth.runtime.SettingsProperties.SnmpEntry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;

/**
 * Targets in a file of their own: {@code {"snmp": [...], "exporters": [...], "gnmi": [...]}}.
 * Entries have the keys of the main configuration, with dashes or underscores.
 */
final class TargetsFile {
  static final String PREFIX = "targets-file";

  private TargetsFile() {}

  /** The targets as they are written. */
  record Content(
      @DefaultValue @Nullable List<SnmpEntry> snmp,
      @DefaultValue @Nullable List<PrometheusEntry> exporters,
      @DefaultValue @Nullable List<GnmiEntry> gnmi) {}

  /**
   * The file's values under {@link #PREFIX}, each with its line and column.
   *
   * @throws SettingsException where the file is absent or malformed
   */
  static PropertySource<?> read(Path file) {
    Map<String, Object> values = new LinkedHashMap<>();
    Node root = SettingsDocument.read(file);
    if (!(root instanceof SettingsDocument.Fields)) {
      throw new SettingsException(
          List.of(
              root.at()
                  .problem(
                      null,
                      "not an object with targets",
                      "{\"snmp\": [...], \"exporters\": [...], \"gnmi\": [...]}")));
    }
    flatten(file, root, PREFIX, values);
    return new OriginTrackedMapPropertySource(PREFIX, values);
  }

  private static void flatten(Path file, Node node, String name, Map<String, Object> values) {
    switch (node) {
      case SettingsDocument.Fields fields ->
          fields.values().forEach((key, value) -> flatten(file, value, name + "." + key, values));
      case SettingsDocument.Items items -> {
        for (int i = 0; i < items.values().size(); i++) {
          flatten(file, items.values().get(i), name + "[" + i + "]", values);
        }
      }
      case SettingsDocument.Text text -> {
        if (text.value() != null) {
          values.put(name, OriginTrackedValue.of(text.value(), origin(file, text.at())));
        }
      }
    }
  }

  private static TextResourceOrigin origin(Path file, SettingsPlace at) {
    return new TextResourceOrigin(
        new FileSystemResource(file),
        new TextResourceOrigin.Location(at.line() - 1, at.column() - 1));
  }
}
