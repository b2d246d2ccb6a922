package io.fabrichealth.collect.wiring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads Slurm's {@code topology.conf} and {@code topology.yaml} (topology.conf(5),
 * topology.yaml(5)). Where both exist, Slurm uses the second alone.
 */
public final class SlurmReader {
  private static final YAMLMapper YAML = YAMLMapper.builder().build();

  private SlurmReader() {}

  /**
   * @throws WiringFormatException where no line names a switch or block
   */
  public static ImportedWiring readConf(String document) throws WiringFormatException {
    SlurmTree tree = new SlurmTree();
    boolean any = false;
    int number = 0;
    int first = 0;
    StringBuilder line = new StringBuilder();
    for (String raw : document.lines().toList()) {
      number++;
      first = line.isEmpty() ? number : first;
      String text = withoutComment(raw).stripTrailing();
      boolean isContinued = text.endsWith("\\");
      line.append(isContinued ? text.substring(0, text.length() - 1) : text);
      if (!isContinued) {
        any |= take(first, line.toString().strip(), tree);
        line.setLength(0);
      }
    }
    any |= take(first, line.toString().strip(), tree);
    if (!any) {
      throw new WiringFormatException(1, "no line begins with SwitchName or BlockName");
    }
    return tree.build();
  }

  private static String withoutComment(String line) {
    int mark = line.indexOf('#');
    return mark < 0 ? line : line.substring(0, mark);
  }

  private static boolean take(int line, String text, SlurmTree tree) {
    if (text.isEmpty()) {
      return false;
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String word : text.split("\\s+")) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        tree.refusals().add(line, null, Refusals.quoted(word) + " is not KEY=VALUE");
        return false;
      }
      fields.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
    }
    String name = fields.get("switchname");
    String block = fields.get("blockname");
    if (name != null && !name.isEmpty()) {
      tree.addSwitch(line, name, fields.get("switches"), fields.get("nodes"));
      return true;
    }
    if (block != null && fields.get("nodes") != null) {
      tree.block(line, fields.getOrDefault("nodes", ""));
      return true;
    }
    if (!fields.containsKey("blocksizes")) {
      tree.refusals().add(line, null, "names no switch and no block: " + Refusals.quoted(text));
    }
    return false;
  }

  /**
   * @throws WiringFormatException where it is not a list of topologies
   */
  public static ImportedWiring readYaml(String document) throws WiringFormatException {
    JsonNode root;
    try {
      root = YAML.readTree(document);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new WiringFormatException(Math.max(line, 0), "not well-formed YAML");
    }
    if (root == null || !root.isArray()) {
      throw new WiringFormatException(1, "not a list of topologies");
    }
    SlurmTree tree = new SlurmTree();
    int number = 0;
    for (JsonNode topology : root) {
      number++;
      String name = text(topology.get("topology"));
      String place = name == null ? "topology " + number : name;
      JsonNode switches = topology.at("/tree/switches");
      JsonNode blocks = topology.at("/block/blocks");
      for (JsonNode one : switches.isArray() ? switches : List.<JsonNode>of()) {
        String switchName = text(one.get("switch"));
        if (switchName == null) {
          tree.refusals().add(0, place + ".tree.switches", "an element has no 'switch'");
        } else {
          tree.addSwitch(0, switchName, text(one.get("children")), text(one.get("nodes")));
        }
      }
      for (JsonNode one : blocks.isArray() ? blocks : List.<JsonNode>of()) {
        String nodes = text(one.get("nodes"));
        if (nodes == null) {
          tree.refusals().add(0, place + ".block.blocks", "an element has no 'nodes'");
        } else {
          tree.block(0, nodes);
        }
      }
      if (!switches.isArray() && !blocks.isArray()) {
        tree.refusals().add(0, place, "has neither tree.switches nor block.blocks");
      }
    }
    return tree.build();
  }

  private static @Nullable String text(@Nullable JsonNode node) {
    return node == null || !node.isValueNode() || node.isNull() || node.asString().isBlank()
        ? null
        : node.asString().strip();
  }
}
