package io.fabrichealth.runtime;

import io.fabrichealth.runtime.SettingsDocument.Fields;
import io.fabrichealth.runtime.SettingsDocument.Items;
import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsDocument.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.DescriptiveResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

/**
 * Lists of targets as the service discovery of Prometheus by files and HTTP has them: {@code
 * [{"targets": ["host:port"], "labels": {"device": "leaf1"}}]}. They become the values of a {@link
 * TargetsFile}.
 *
 * <p>Source: the documentation of Prometheus, file_sd_config and http_sd_config.
 */
final class TargetGroups {
  static final String PREFIX = "discovered";

  /** An IPv6 address in brackets or anything without a colon, and a port where there is one. */
  private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]]*]|[^:]*)(?::(.*))?");

  private static final String ALLOWED = "[{\"targets\": [\"host:port\"], \"labels\": {...}}]";

  private final Kind kind;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<SettingsProblem> problems = new ArrayList<>();
  private int targets;

  private TargetGroups(Kind kind) {
    this.kind = kind;
  }

  /** Whose targets they are, by the name of their list in a {@link TargetsFile}. */
  enum Kind {
    SNMP("snmp"),
    PROMETHEUS("exporters"),
    GNMI("gnmi");

    private final String list;

    Kind(String list) {
      this.list = list;
    }
  }

  /**
   * The targets under {@link #PREFIX}, each value with its line and column.
   *
   * @throws SettingsException where it is no list of groups
   */
  static PropertySource<?> read(Node root, Kind kind) {
    TargetGroups groups = new TargetGroups(kind);
    if (root instanceof Items items) {
      items.values().forEach(groups::addGroup);
    } else {
      groups.problems.add(root.at().problem(null, "not a list of targets", ALLOWED));
    }
    if (!groups.problems.isEmpty()) {
      throw new SettingsException(groups.problems);
    }
    return new OriginTrackedMapPropertySource(PREFIX, groups.values);
  }

  private void addGroup(Node node) {
    if (!(node instanceof Fields group)) {
      reject(node, "not a group of targets");
      return;
    }
    Map<String, Text> labels = new HashMap<>();
    List<Text> addresses = new ArrayList<>();
    group
        .values()
        .forEach(
            (key, value) -> {
              if (key.equals("targets") && value instanceof Items items) {
                items.values().forEach(item -> addTo(addresses, item));
              } else if (key.equals("labels") && value instanceof Fields fields) {
                fields.values().forEach((label, of) -> addTo(labels, label, of));
              } else {
                reject(
                    value,
                    Set.of("targets", "labels").contains(key)
                        ? "'" + key + "' is not what it should be"
                        : SettingsNames.unknown("key", key, Set.of("targets", "labels")));
              }
            });
    addresses.forEach(address -> addTarget(address, labels));
  }

  private void addTo(List<Text> addresses, Node node) {
    if (node instanceof Text text && text.value() != null) {
      addresses.add(text);
    } else {
      reject(node, "not an address");
    }
  }

  private void addTo(Map<String, Text> labels, String label, Node node) {
    if (node instanceof Text text) {
      labels.put(label, text);
    } else {
      reject(node, "not the value of a label");
    }
  }

  private void addTarget(Text target, Map<String, Text> labels) {
    Text address = labels.getOrDefault("__address__", target);
    String written = text(address).strip();
    Matcher parts = ADDRESS.matcher(written);
    if (!parts.matches()) {
      reject(address, "'" + written + "' is no address");
      return;
    }
    String host = parts.group(1).replaceAll("[\\[\\]]", "");
    put("device", labels.getOrDefault("device", new Text(address.at(), address.key(), host)));
    put("role", labels.get("role"));
    put("interval", labels.get("__scrape_interval__"));
    put("timeout", labels.get("__scrape_timeout__"));
    switch (kind) {
      case PROMETHEUS -> put("url", new Text(address.at(), address.key(), url(written, labels)));
      case SNMP, GNMI -> {
        put("address", new Text(address.at(), address.key(), host));
        String port = parts.group(2);
        put("port", port == null ? null : new Text(address.at(), address.key(), port));
      }
    }
    if (kind == Kind.GNMI) {
      put("profile", labels.get("profile"));
    }
    targets++;
  }

  private static String url(String address, Map<String, Text> labels) {
    Text scheme = labels.get("__scheme__");
    Text path = labels.get("__metrics_path__");
    StringBuilder url = new StringBuilder();
    url.append(scheme == null ? "http" : text(scheme)).append("://").append(address);
    url.append(path == null ? "/metrics" : text(path));
    return url.toString();
  }

  private void put(String key, @Nullable Text text) {
    if (text != null && text.value() != null) {
      values.put(
          PREFIX + "." + kind.list + "[" + targets + "]." + key,
          OriginTrackedValue.of(text.value(), origin(text.at())));
    }
  }

  private static TextResourceOrigin origin(SettingsPlace at) {
    Resource resource =
        at.file() == null ? new DescriptiveResource(at.name()) : new FileSystemResource(at.file());
    return new TextResourceOrigin(
        resource, new TextResourceOrigin.Location(at.line() - 1, at.column() - 1));
  }

  private void reject(Node node, String problem) {
    problems.add(node.at().problem(node.key().isEmpty() ? null : node.key(), problem, ALLOWED));
  }

  private static String text(Text text) {
    return text.value() == null ? "" : text.value();
  }
}
