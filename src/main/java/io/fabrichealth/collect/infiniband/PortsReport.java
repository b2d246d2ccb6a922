package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.Node.Kind;
import io.fabrichealth.collect.infiniband.NodePort.Link;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import org.jspecify.annotations.Nullable;

/**
 * Lines of {@code ibnetdiscover -p}, one for each port: type, LID, port, GUID of the port, width,
 * speed, and the other end where there is one. Each port of a channel adapter is a node here: the
 * report does not tell which ones are of one adapter.
 */
final class PortsReport {
  private final SubnetBuilder subnet;

  PortsReport(SubnetBuilder subnet) {
    this.subnet = subnet;
  }

  private record End(Kind kind, int lid, int port, long guid) {}

  /** Whether the line is one of a report; then it was taken, or refused in words. */
  boolean take(String line, int number) {
    LineCursor cursor = new LineCursor(line);
    End own = end(cursor);
    int lanes = own == null ? -1 : cursor.number();
    if (own == null || lanes < 0 || !cursor.take("x")) {
      return false;
    }
    LaneSpeed speed = LaneSpeed.ofWord(cursor.word());
    if (cursor.take("-")) {
      takeLink(own, lanes, speed, cursor, line, number);
    } else {
      String name = cursor.skipSpace().rest();
      boolean quoted =
          name.length() > 1 && name.startsWith("'") && name.stripTrailing().endsWith("'");
      add(
          own,
          quoted ? name.substring(1, name.stripTrailing().length() - 1) : name,
          null,
          0,
          LaneSpeed.UNKNOWN,
          number);
    }
    return true;
  }

  private void takeLink(
      End own, int lanes, LaneSpeed speed, LineCursor cursor, String line, int number) {
    End far = end(cursor);
    // Names may hold quotes and dashes; the three together are what parts two names.
    boolean named = far != null && cursor.upTo("( '") != null;
    String name = named ? cursor.upTo("' - '") : null;
    String rest = cursor.rest().stripTrailing();
    if (far == null || name == null || !rest.endsWith("' )")) {
      subnet.refusals().line(number, "no other end in: " + Refusals.shortened(line));
      return;
    }
    String farName = rest.substring(0, rest.length() - "' )".length());
    add(own, name, new Peer(far.kind, far.guid, far.port, far.lid, farName), lanes, speed, number);
  }

  private void add(
      End own, String name, @Nullable Peer peer, int lanes, LaneSpeed speed, int number) {
    boolean isSwitch = own.kind == Kind.SWITCH;
    Node node = subnet.node(own.guid);
    if (node == null) {
      node = new Node(own.kind, own.guid, 0, 0, name, 0, isSwitch ? own.lid : 0, number);
      subnet.add(node);
    }
    subnet.add(
        node,
        new NodePort(
            own.port,
            0,
            null,
            isSwitch ? 0 : own.guid,
            isSwitch ? 0 : own.lid,
            lanes,
            speed,
            peer == null ? Link.UNKNOWN : Link.UP,
            peer,
            number));
  }

  private static @Nullable End end(LineCursor cursor) {
    Kind kind =
        cursor.take("SW")
            ? Kind.SWITCH
            : cursor.take("CA")
                ? Kind.ADAPTER
                : cursor.take("RT") ? Kind.ROUTER : cursor.take("??") ? Kind.OTHER : null;
    int lid = kind == null ? -1 : cursor.number();
    int port = lid < 0 ? -1 : cursor.number();
    long guid = port < 0 ? 0 : cursor.guid();
    return kind == null || guid == 0 ? null : new End(kind, lid, port, guid);
  }
}
