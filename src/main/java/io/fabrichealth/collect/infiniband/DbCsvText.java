package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.Node.Kind;
import io.fabrichealth.collect.infiniband.NodePort.Link;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ibdiagnet} writes to {@code ibdiagnet2.db_csv}: sections between {@code START_NAME}
 * and {@code END_NAME}, each with a row of column names, which differ in order from version to
 * version. Read are {@code NODES}, {@code PORTS}, {@code LINKS} and {@code PORT_HIERARCHY_INFO};
 * the others are passed over. A link stands here once.
 *
 * <p>Source: the parser of NVIDIA's UFM SDK (NDT plugin) for names of sections and columns.
 */
final class DbCsvText implements TopologyText {
  private final SubnetBuilder subnet;
  private final Map<Long, Map<Integer, NodePort>> ports = new HashMap<>();
  private @Nullable String section;
  private @Nullable Map<String, Integer> columns;
  private boolean begun;
  private int lines;
  private int portRows;

  DbCsvText(SubnetBuilder subnet) {
    this.subnet = subnet;
  }

  @Override
  public void line(String line, int number) {
    lines++;
    String text = line.strip();
    if (text.startsWith("START_")) {
      if (section != null) {
        subnet.refusals().line(number, "section %s has no end".formatted(section));
      }
      section = text.substring("START_".length());
      columns = null;
      begun = true;
    } else if (text.startsWith("END_") && section != null) {
      section = null;
    } else if (section != null && !text.isEmpty() && !text.startsWith("#")) {
      row(section, line, number);
    }
  }

  private void row(String of, String line, int number) {
    if (!of.equals("NODES")
        && !of.equals("PORTS")
        && !of.equals("LINKS")
        && !of.equals("PORT_HIERARCHY_INFO")) {
      return;
    }
    List<String> cells = cells(line);
    Map<String, Integer> known = columns;
    if (known == null) {
      Map<String, Integer> header = new HashMap<>();
      for (int index = 0; index < cells.size(); index++) {
        header.putIfAbsent(cells.get(index).toLowerCase(Locale.ROOT), index);
      }
      columns = header;
      return;
    }
    Row row = new Row(of, known, cells, number);
    switch (of) {
      case "NODES" -> takeNode(row);
      case "PORTS" -> takePort(row);
      case "LINKS" -> takeLink(row);
      default -> takeLabel(row);
    }
  }

  /** A row by the names of its columns, whatever their case. */
  private record Row(String section, Map<String, Integer> columns, List<String> cells, int number) {
    @Nullable String text(String column) {
      Integer index = columns.get(column.toLowerCase(Locale.ROOT));
      return index == null || index >= cells.size() ? null : cells.get(index);
    }

    long guid(String column) {
      String text = text(column);
      return text == null ? 0 : new LineCursor(text).guid();
    }

    int integer(String column) {
      String text = text(column);
      if (text == null) {
        return -1;
      }
      LineCursor cursor = new LineCursor(text);
      return text.startsWith("0x") ? (int) cursor.guid() : cursor.number();
    }
  }

  private void takeNode(Row row) {
    long guid = row.guid("NodeGUID");
    String description = row.text("NodeDesc");
    if (guid == 0) {
      subnet.refusals().line(row.number, "a node without NodeGUID");
      return;
    }
    Kind kind =
        switch (row.integer("NodeType")) {
          case 1 -> Kind.ADAPTER;
          case 2 -> Kind.SWITCH;
          case 3 -> Kind.ROUTER;
          default -> Kind.OTHER;
        };
    subnet.add(
        new Node(
            kind,
            guid,
            row.guid("SystemImageGUID"),
            Math.max(row.integer("VendorID"), 0),
            description == null ? "" : description,
            Math.max(row.integer("NumPorts"), 0),
            0,
            row.number));
  }

  private void takePort(Row row) {
    long guid = row.guid("NodeGuid");
    int port = row.integer("PortNum");
    if (guid == 0 || port < 0) {
      subnet.refusals().line(row.number, "a port without NodeGuid or PortNum");
      return;
    }
    // Port 0 of a switch is its own management port.
    if (port > 0) {
      int state = row.integer("PortState");
      // PortInfo: 1 down, 2 initialising, 3 armed, 4 active.
      Link link = state == 4 ? Link.UP : state >= 1 && state < 4 ? Link.DOWN : Link.UNKNOWN;
      NodePort read =
          new NodePort(
              port,
              0,
              null,
              row.guid("PortGuid"),
              Math.max(row.integer("LID"), 0),
              link == Link.UP ? lanes(row.integer("LinkWidthActv")) : 0,
              link == Link.UP ? speed(row.integer("LinkSpeedActv")) : LaneSpeed.UNKNOWN,
              link,
              null,
              row.number);
      keep(guid, read);
    }
  }

  private void keep(long guid, NodePort read) {
    NodePort known =
        ports.computeIfAbsent(guid, unknown -> new HashMap<>()).putIfAbsent(read.number(), read);
    if (known == null) {
      portRows++;
    } else {
      subnet
          .refusals()
          .line(
              read.line(),
              "port %d of %s stands in line %d already"
                  .formatted(read.number(), Guid.text(guid), known.line()));
    }
  }

  /** PortInfo: LinkSpeedExtActive in the upper octet, LinkSpeedActive in the lower. */
  private static LaneSpeed speed(int masks) {
    return switch (masks < 0 ? 0 : masks >> 8) {
      case 1 -> LaneSpeed.FDR;
      case 2 -> LaneSpeed.EDR;
      case 4 -> LaneSpeed.HDR;
      case 8 -> LaneSpeed.NDR;
      case 16 -> LaneSpeed.XDR;
      case 0 ->
          switch (masks) {
            case 1 -> LaneSpeed.SDR;
            case 2 -> LaneSpeed.DDR;
            case 4 -> LaneSpeed.QDR;
            default -> LaneSpeed.UNKNOWN;
          };
      default -> LaneSpeed.UNKNOWN;
    };
  }

  private static int lanes(int mask) {
    return switch (mask) {
      case 1 -> 1;
      case 2 -> 4;
      case 4 -> 8;
      case 8 -> 12;
      case 16 -> 2;
      default -> 0;
    };
  }

  private void takeLink(Row row) {
    long one = row.guid("NodeGuid1");
    long other = row.guid("NodeGuid2");
    int portOfOne = row.integer("PortNum1");
    int portOfOther = row.integer("PortNum2");
    if (one == 0 || other == 0 || portOfOne < 1 || portOfOther < 1) {
      subnet.refusals().line(row.number, "a link without NodeGuid1, PortNum1, NodeGuid2, PortNum2");
      return;
    }
    connect(one, portOfOne, other, portOfOther, row.number);
    connect(other, portOfOther, one, portOfOne, row.number);
  }

  private void connect(long guid, int port, long peerGuid, int peerPort, int number) {
    Map<Integer, NodePort> ofNode = ports.computeIfAbsent(guid, unknown -> new HashMap<>());
    NodePort known =
        ofNode.computeIfAbsent(
            port,
            unlisted ->
                new NodePort(
                    port, 0, null, 0, 0, 0, LaneSpeed.UNKNOWN, Link.UNKNOWN, null, number));
    if (known.peer() != null) {
      subnet
          .refusals()
          .line(number, "a second link at port %d of %s".formatted(port, Guid.text(guid)));
      return;
    }
    Node node = subnet.node(peerGuid);
    Peer peer =
        new Peer(
            node == null ? Kind.OTHER : node.kind(),
            peerGuid,
            peerPort,
            0,
            node == null ? "" : node.description());
    ofNode.put(port, known.withPeer(peer));
  }

  private void takeLabel(Row row) {
    Map<Integer, NodePort> ofNode = ports.get(row.guid("NodeGUID"));
    NodePort known = ofNode == null ? null : ofNode.get(row.integer("PortNum"));
    String extended = row.text("ExtendedLabel");
    String label = extended == null || isNone(extended) ? row.text("Label") : extended;
    if (ofNode != null && known != null && label != null && !isNone(label)) {
      ofNode.put(known.number(), known.withLabel(label));
    }
  }

  private static boolean isNone(String cell) {
    return cell.isEmpty() || cell.equalsIgnoreCase("N/A");
  }

  @Override
  public void end() {
    if (!begun && lines > 0) {
      subnet.refusals().line(1, "none of the %d lines begins a section".formatted(lines));
    }
    if (section != null) {
      subnet.refusals().line(lines, "section %s has no end".formatted(section));
    }
    ports.forEach(
        (guid, ofNode) -> {
          Node node = subnet.node(guid);
          if (node == null) {
            NodePort first = ofNode.values().iterator().next();
            subnet
                .refusals()
                .line(first.line(), "a port of %s, which is no node".formatted(Guid.text(guid)));
          } else {
            ofNode.values().stream()
                .sorted((a, b) -> Integer.compare(a.number(), b.number()))
                .forEach(port -> subnet.add(node, ofNode(node, port)));
            if (portRows > 0 && node.isSwitch()) {
              checkCount(node, ofNode.size());
            }
          }
        });
  }

  private static NodePort ofNode(Node node, NodePort port) {
    return node.isSwitch()
        ? new NodePort(
            port.number(),
            port.external(),
            port.label(),
            0,
            0,
            port.lanes(),
            port.speed(),
            port.link(),
            port.peer(),
            port.line())
        : port;
  }

  private void checkCount(Node node, int listed) {
    if (node.declaredPorts() > 0 && listed != node.declaredPorts()) {
      subnet
          .refusals()
          .line(
              node.line(),
              "%s declares %d ports and %d are listed"
                  .formatted(node, node.declaredPorts(), listed));
    }
  }

  /** Cells between commas; a quoted one may hold commas, and two quotes for one. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < line.length(); at++) {
      char character = line.charAt(at);
      if (character == '"') {
        boolean isDoubled = quoted && at + 1 < line.length() && line.charAt(at + 1) == '"';
        if (isDoubled) {
          cell.append('"');
          at++;
        } else {
          quoted = !quoted;
        }
      } else if (character == ',' && !quoted) {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(character);
      }
    }
    cells.add(cell.toString().strip());
    return cells;
  }
}
