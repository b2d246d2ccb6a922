package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.Node.Kind;
import io.fabrichealth.collect.infiniband.NodePort.Link;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ibnetdiscover} prints: stanzas of nodes, and with {@code -p} one line a port.
 *
 * <p>Source: ibnetdiscover(8) of rdma-core, and {@code infiniband-diags/ibnetdiscover.c} for the
 * order of the fields.
 */
final class DiscoverText implements TopologyText {
  private final SubnetBuilder subnet;
  private final PortsReport report;
  private @Nullable Node node;
  private boolean skipsNode;
  private boolean begun;
  private int preamble;
  private int vendorId;
  private long systemGuid;

  DiscoverText(SubnetBuilder subnet) {
    this.subnet = subnet;
    report = new PortsReport(subnet);
  }

  /** Lines before the first that was understood: a terminal's banner, a prompt. */
  int preamble() {
    return begun ? preamble : 0;
  }

  @Override
  public void line(String line, int number) {
    LineCursor cursor = new LineCursor(line);
    if (cursor.isAtEnd() || cursor.take("#")) {
      return;
    }
    boolean taken =
        takeId(cursor) || takePort(line, number) || takeNode(line, number) || isGrouping(line);
    if (taken || report.take(line, number)) {
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
      subnet.refusals().line(1, "none of the %d lines is of ibnetdiscover".formatted(preamble));
    }
  }

  /** {@code vendid=0x2c9} and its like; each stanza begins with them. */
  private boolean takeId(LineCursor cursor) {
    if (cursor.take("vendid=")) {
      node = null;
      skipsNode = false;
      systemGuid = 0;
      vendorId = (int) cursor.guid();
      return true;
    }
    if (cursor.take("sysimgguid=")) {
      systemGuid = cursor.guid();
      return true;
    }
    return cursor.take("devid=")
        || cursor.take("switchguid=")
        || cursor.take("caguid=")
        || cursor.take("rtguid=")
        || cursor.take("???guid=");
  }

  /** With {@code -g}: headings of chassis. */
  private static boolean isGrouping(String line) {
    return line.startsWith("Chassis ") || line.startsWith("Hostname:");
  }

  /** {@code Switch 41 "S-…" # "leaf1" enhanced port 0 lid 12 lmc 0}. */
  private boolean takeNode(String line, int number) {
    LineCursor cursor = new LineCursor(line);
    Kind kind =
        cursor.take("Switch")
            ? Kind.SWITCH
            : cursor.take("Ca")
                ? Kind.ADAPTER
                : cursor.take("Rt") ? Kind.ROUTER : cursor.take("???") ? Kind.OTHER : null;
    int ports = kind == null ? -1 : cursor.number();
    String id = ports < 0 ? null : cursor.quoted('"');
    if (kind == null || id == null) {
      return false;
    }
    node = null;
    skipsNode = true;
    long guid = guidOfId(id);
    String description = cursor.take("#") ? cursor.quotedToLast('"') : null;
    if (guid == 0) {
      subnet.refusals().line(number, "no GUID in '%s'".formatted(Refusals.shortened(id)));
      return true;
    }
    int lid = kind == Kind.SWITCH && cursor.upTo(" lid ") != null ? cursor.number() : 0;
    Node read =
        new Node(
            kind,
            guid,
            systemGuid,
            vendorId,
            description == null ? "" : description,
            ports,
            Math.max(lid, 0),
            number);
    if (subnet.add(read)) {
      node = read;
      skipsNode = false;
    }
    return true;
  }

  /** {@code [1](guid) "S-…"[5][ext 3](guid) # …}. */
  private boolean takePort(String line, int number) {
    LineCursor cursor = new LineCursor(line);
    int port = cursor.bracketed();
    if (port < 0) {
      return false;
    }
    int external = external(cursor);
    long guid = guidInParentheses(cursor);
    String peerId = cursor.quoted('"');
    int peerPort = peerId == null ? -1 : cursor.bracketed();
    if (peerId == null || peerPort < 0) {
      return false;
    }
    external(cursor);
    guidInParentheses(cursor);
    Node of = node;
    if (of == null) {
      if (!skipsNode) {
        subnet.refusals().line(number, "a port without a node before it");
      }
      return true;
    }
    takeLink(of, port, external, guid, peerId, peerPort, cursor, number);
    return true;
  }

  private void takeLink(
      Node of,
      int port,
      int external,
      long guid,
      String peerId,
      int peerPort,
      LineCursor cursor,
      int number) {
    int lid = 0;
    if (cursor.take("#") && cursor.take("lid")) {
      lid = Math.max(cursor.number(), 0);
    }
    String description = cursor.quotedToLast('"');
    int peerLid = cursor.take("lid") ? Math.max(cursor.number(), 0) : 0;
    int lanes = cursor.number();
    LaneSpeed speed = cursor.take("x") ? LaneSpeed.ofWord(cursor.word()) : LaneSpeed.UNKNOWN;
    long peerGuid = guidOfId(peerId);
    if (peerGuid == 0) {
      subnet.refusals().line(number, "no GUID in '%s'".formatted(Refusals.shortened(peerId)));
      return;
    }
    Peer peer =
        new Peer(
            kindOfId(peerId), peerGuid, peerPort, peerLid, description == null ? "" : description);
    subnet.add(
        of,
        new NodePort(
            port, external, null, guid, lid, Math.max(lanes, 0), speed, Link.UP, peer, number));
  }

  private static int external(LineCursor cursor) {
    if (!cursor.take("[ext")) {
      return 0;
    }
    int external = cursor.number();
    cursor.take("]");
    return Math.max(external, 0);
  }

  private static long guidInParentheses(LineCursor cursor) {
    if (!cursor.take("(")) {
      return 0;
    }
    long guid = cursor.guid();
    cursor.take(")");
    return guid;
  }

  /** {@code S-b8599f0300aa0001}. */
  private static long guidOfId(String id) {
    LineCursor cursor = new LineCursor(id.length() > 2 ? id.substring(2) : "");
    long guid = cursor.guid();
    return cursor.isAtEnd() ? guid : 0;
  }

  private static Kind kindOfId(String id) {
    return switch (id.isEmpty() ? ' ' : id.charAt(0)) {
      case 'S' -> Kind.SWITCH;
      case 'H' -> Kind.ADAPTER;
      case 'R' -> Kind.ROUTER;
      default -> Kind.OTHER;
    };
  }
}
