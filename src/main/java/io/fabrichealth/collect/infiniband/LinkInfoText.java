package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.Node.Kind;
import io.fabrichealth.collect.infiniband.NodePort.Link;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code iblinkinfo} prints: a heading for each node and one line for each port, or with
 * {@code -l} all of it on one line. A channel adapter is known by the GUIDs of its ports here.
 *
 * <p>Source: iblinkinfo(8) of rdma-core, and {@code infiniband-diags/iblinkinfo.c} for the order of
 * the fields.
 */
final class LinkInfoText implements TopologyText {
  private static final String BEGIN = "==(";
  private static final String END = ")==>";
  private static final int MOST_PORTS = 1_000_000;

  private final SubnetBuilder subnet;
  private final Map<Long, Listed> nodes = new LinkedHashMap<>();
  private @Nullable Kind kind;
  private long guid;
  private String name = "";
  private boolean begun;
  private int preamble;
  private int ports;

  LinkInfoText(SubnetBuilder subnet) {
    this.subnet = subnet;
  }

  /** A node; one line for all does not say what it is, the number of its ports does. */
  private record Listed(
      @Nullable Kind kind, String name, int lid, int line, List<NodePort> ports) {}

  @Override
  public void line(String line, int number) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    if (takeHeading(line) || takePort(line, number)) {
      begun = true;
    } else if (begun) {
      subnet.refusals().line(number, "not understood: " + Refusals.shortened(line));
    } else {
      preamble++;
    }
  }

  @Override
  public void end() {
    if (!begun && preamble > 0) {
      subnet.refusals().line(1, "none of the %d lines is of iblinkinfo".formatted(preamble));
    }
    nodes.forEach(
        (id, listed) -> {
          Kind told = listed.kind;
          boolean isSwitch = told == null ? listed.ports.size() > 1 : told == Kind.SWITCH;
          Kind is = told != null ? told : isSwitch ? Kind.SWITCH : Kind.ADAPTER;
          Node node =
              new Node(is, id, 0, 0, listed.name, 0, isSwitch ? listed.lid : 0, listed.line);
          if (subnet.add(node)) {
            listed.ports.forEach(port -> subnet.add(node, isSwitch ? ofSwitch(port) : port));
          }
        });
  }

  private static NodePort ofSwitch(NodePort port) {
    return new NodePort(
        port.number(),
        port.external(),
        port.label(),
        0,
        0,
        port.lanes(),
        port.speed(),
        port.link(),
        port.peer(),
        port.line());
  }

  /** {@code Switch: 0x… leaf1:} or {@code CA: n1 HCA-1:}. */
  private boolean takeHeading(String line) {
    LineCursor cursor = new LineCursor(line);
    Kind told =
        cursor.take("Switch:")
            ? Kind.SWITCH
            : cursor.take("CA:") ? Kind.ADAPTER : cursor.take("Router:") ? Kind.ROUTER : null;
    if (told == null || line.contains(BEGIN)) {
      return false;
    }
    kind = told;
    guid = told == Kind.SWITCH ? cursor.guid() : 0;
    String rest = cursor.rest().stripTrailing();
    rest = rest.startsWith(" ") ? rest.substring(1) : rest;
    name = rest.endsWith(":") ? rest.substring(0, rest.length() - 1) : rest;
    return true;
  }

  private boolean takePort(String line, int number) {
    int begin = line.lastIndexOf(BEGIN);
    int end = begin < 0 ? -1 : line.indexOf(END, begin);
    if (end < 0) {
      return false;
    }
    LineCursor left = new LineCursor(line.substring(0, begin));
    long told = left.take("0x") ? left.guid() : 0;
    String ownName = told == 0 ? null : left.quotedToLast('"');
    int lid = left.number();
    int port = left.number();
    int external = left.bracketed();
    if (port < 0) {
      return false;
    }
    long id = told != 0 ? told : guid;
    if (id == 0 || (ownName == null && kind == null)) {
      subnet.refusals().line(number, "a port without a node before it");
      return true;
    }
    State state = State.of(line.substring(begin + BEGIN.length(), end));
    Listed listed =
        nodes.computeIfAbsent(
            id,
            unknown ->
                new Listed(
                    ownName == null ? kind : null,
                    ownName == null ? name : ownName.strip(),
                    Math.max(lid, 0),
                    number,
                    new ArrayList<>()));
    if (ports++ < MOST_PORTS) {
      listed.ports.add(
          new NodePort(
              port,
              Math.max(external, 0),
              null,
              told,
              Math.max(lid, 0),
              state.lanes,
              state.speed,
              state.link,
              peer(line.substring(end + END.length())),
              number));
    }
    return true;
  }

  /** {@code 0x… 12 1[ ] "leaf1" ( )}; the GUID is there with {@code -l} only. */
  private static @Nullable Peer peer(String text) {
    LineCursor cursor = new LineCursor(text);
    long peerGuid = cursor.take("0x") ? cursor.guid() : 0;
    int lid = cursor.number();
    int port = lid < 0 ? -1 : cursor.number();
    String description = port < 1 ? null : cursor.quotedToLast('"');
    return description == null ? null : new Peer(Kind.OTHER, peerGuid, port, lid, description);
  }

  /** {@code 4X 106.25 Gbps Active/ LinkUp} or {@code Down/ Polling}. */
  private record State(Link link, int lanes, LaneSpeed speed) {
    static State of(String text) {
      LineCursor cursor = new LineCursor(text);
      int lanes = cursor.number();
      boolean hasWidth = cursor.take("X");
      String told = cursor.upTo("/");
      if (told == null) {
        return new State(Link.UNKNOWN, 0, LaneSpeed.UNKNOWN);
      }
      String logical = told.strip();
      // Only an active port carries data; what a port that is down says of itself means nothing.
      boolean up = logical.endsWith("Active");
      boolean down = logical.endsWith("Down");
      return new State(
          up ? Link.UP : Link.DOWN,
          hasWidth && !down ? Math.max(lanes, 0) : 0,
          down ? LaneSpeed.UNKNOWN : LaneSpeed.ofRate(logical));
    }
  }
}
