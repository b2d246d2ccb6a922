package io.fabrichealth.collect.wiring;

import io.fabrichealth.collect.wiring.CsvRows.Row;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads cables of NetBox: the CSV that it exports, and the answer of {@code GET /api/dcim/cables/}.
 * Taken are cables between two interfaces. A cable to a patch panel, a power or console port is
 * left out and counted; so is one that is being decommissioned.
 *
 * <p>Source: NetBox's REST API from version 3.3 on ({@code a_terminations}, {@code b_terminations})
 * and its form for bulk import; columns of the CSV differ by version.
 */
public final class NetboxReader {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final CableList cables = new CableList();
  private int others;
  private int decommissioned;

  private NetboxReader() {}

  /**
   * @throws WiringFormatException where the header lacks the columns of both ends
   */
  public static ImportedWiring readCsv(String document) throws WiringFormatException {
    return new NetboxReader().csv(document);
  }

  /**
   * @throws WiringFormatException where it is no list of cables
   */
  public static ImportedWiring readJson(String document) throws WiringFormatException {
    return new NetboxReader().json(document);
  }

  // --- CSV

  private ImportedWiring csv(String document) throws WiringFormatException {
    List<Row> rows = CsvRows.read(document);
    if (rows.isEmpty()) {
      throw new WiringFormatException(1, "the document is empty");
    }
    Map<String, Integer> columns = CsvRows.columns(rows.getFirst());
    CsvSide a = side(columns, "a");
    CsvSide b = side(columns, "b");
    int type = columns.getOrDefault("type", -1);
    int status = columns.getOrDefault("status", -1);
    for (Row row : rows.subList(1, rows.size())) {
      if (isLeftOut(row.cell(a.type), row.cell(b.type), row.cell(status))) {
        continue;
      }
      Media media = media(row.cell(type));
      Port one = a.port(row, media, cables.refusals());
      Port other = one == null ? null : b.port(row, media, cables.refusals());
      if (one != null && other != null) {
        cables.cable(row.line(), one, other);
      }
    }
    return build(List.of());
  }

  private static CsvSide side(Map<String, Integer> columns, String side)
      throws WiringFormatException {
    int device =
        first(
            columns,
            "side_" + side + "_device",
            "device_" + side,
            "termination_" + side + "_device");
    int name =
        first(
            columns,
            "side_" + side + "_name",
            "termination_" + side + "_name",
            "termination_" + side);
    if (device < 0 || name < 0) {
      throw new WiringFormatException(
          1, "no columns side_%s_device and side_%s_name in the header".formatted(side, side));
    }
    int type = first(columns, "side_" + side + "_type", "termination_" + side + "_type");
    return new CsvSide("side_" + side, device, name, type);
  }

  private static int first(Map<String, Integer> columns, String... names) {
    for (String name : names) {
      if (columns.containsKey(name)) {
        return columns.get(name);
      }
    }
    return -1;
  }

  /** Columns of one end. */
  private record CsvSide(String label, int device, int name, int type) {
    @Nullable Port port(Row row, Media media, Refusals refusals) {
      String deviceName = row.cell(device);
      String portName = row.cell(name);
      if (deviceName.isEmpty() || portName.isEmpty()) {
        String missing = label + (deviceName.isEmpty() ? "_device" : "_name");
        refusals.add(row.line(), missing, "is empty");
        return null;
      }
      if (portName.indexOf(',') >= 0) {
        refusals.add(
            row.line(), label + "_name", Refusals.quoted(portName) + " is several interfaces");
        return null;
      }
      return NetboxReader.port(deviceName, portName, media);
    }
  }

  // --- JSON

  private ImportedWiring json(String document) throws WiringFormatException {
    JsonNode root;
    try {
      root = JSON.readTree(document);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new WiringFormatException(Math.max(line, 0), "not well-formed JSON");
    }
    JsonNode list = root.isArray() ? root : root.get("results");
    if (list == null || !list.isArray()) {
      throw new WiringFormatException(1, "neither a list nor an object with 'results'");
    }
    int number = 0;
    for (JsonNode cable : list) {
      number++;
      JsonNode a = cable.get("a_terminations");
      JsonNode b = cable.get("b_terminations");
      if (a == null || b == null || !a.isArray() || !b.isArray() || a.isEmpty() || b.isEmpty()) {
        cables.refusals().add(number, "a_terminations, b_terminations", "are no lists, or empty");
      } else if (!isLeftOut(
          text(a.get(0), "object_type"),
          text(b.get(0), "object_type"),
          value(cable.get("status")))) {
        add(number, a, b, media(value(cable.get("type"))));
      }
    }
    JsonNode next = root.get("next");
    boolean isPage = next != null && !next.isNull();
    return build(
        isPage
            ? List.of("one page of several: 'next' is set; ask with limit=0 for all cables at once")
            : List.of());
  }

  private void add(int number, JsonNode a, JsonNode b, Media media) {
    if (a.size() > 1 || b.size() > 1) {
      cables.refusals().add(number, null, "a cable with several interfaces at one side");
      return;
    }
    Port one = port(number, "a_terminations", a.get(0), media);
    Port other = one == null ? null : port(number, "b_terminations", b.get(0), media);
    if (one != null && other != null) {
      cables.cable(number, one, other);
    }
  }

  private @Nullable Port port(int number, String side, JsonNode termination, Media media) {
    JsonNode object = termination.get("object");
    JsonNode device = object == null ? null : object.get("device");
    String name = text(object, "name");
    String deviceName = text(device, "name");
    if (name.isEmpty() || deviceName.isEmpty()) {
      cables.refusals().add(number, side + ".object", "has no name or no device.name");
      return null;
    }
    return port(deviceName, name, media);
  }

  private static String text(@Nullable JsonNode node, String field) {
    JsonNode value = node == null ? null : node.get(field);
    return value == null || !value.isValueNode() || value.isNull() ? "" : value.asString().strip();
  }

  /** A choice is a text, or an object with {@code value} and {@code label}. */
  private static String value(@Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return "";
    }
    return node.isObject() ? text(node, "value") : node.isValueNode() ? node.asString() : "";
  }

  // --- both

  private boolean isLeftOut(String typeA, String typeB, String status) {
    if (status.toLowerCase(Locale.ROOT).startsWith("decommission")) {
      decommissioned++;
      return true;
    }
    if (isInterface(typeA) && isInterface(typeB)) {
      return false;
    }
    others++;
    return true;
  }

  private static boolean isInterface(String type) {
    return type.isEmpty() || type.toLowerCase(Locale.ROOT).endsWith("interface");
  }

  private static Port port(String device, String name, Media media) {
    return new Port(
        new PortId(device, name), 0, 0, FecMode.UNKNOWN, media, null, 0, true, List.of());
  }

  private static Media media(String type) {
    String plain = type.toLowerCase(Locale.ROOT);
    if (plain.startsWith("dac-passive")) {
      return Media.DAC;
    }
    if (plain.startsWith("dac-active")) {
      return Media.AEC;
    }
    if (plain.startsWith("aoc")) {
      return Media.AOC;
    }
    return plain.startsWith("smf") || plain.startsWith("mmf") ? Media.OPTICAL : Media.UNKNOWN;
  }

  private ImportedWiring build(List<String> remarks) {
    List<String> all = new ArrayList<>(remarks);
    if (others > 0) {
      all.add(others + " cables do not join two interfaces and were left out");
    }
    if (decommissioned > 0) {
      all.add(decommissioned + " cables are being decommissioned and were left out");
    }
    return cables.build(all);
  }
}
