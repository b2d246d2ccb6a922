package io.fabrichealth.collect.snmp;

import io.fabrichealth.topology.Neighbour;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.Variable;

/**
 * Reads who is at the other end (LLDP-MIB, IEEE 802.1AB-2005; LLDP-V2-MIB, 802.1AB-2009, where that
 * one is empty). Rows are always walked: part of their index is a time that changes.
 */
final class LldpReader {
  /** A neighbour that gives neither name nor chassis is told by where it is. */
  private static final String UNNAMED = "unnamed at ";

  private static final String UNKNOWN = "unknown";
  private static final int CHASSIS_MAC = 4;
  private static final int CHASSIS_ADDRESS = 5;
  private static final int PORT_MAC = 3;
  private static final int PORT_ADDRESS = 4;
  private static final int PORT_LOCAL = 7;

  /** A version of the MIB. The index of a remote row is time, local port, ..., counter. */
  private enum Version {
    V1("1.0.8802.1.1.2.1.3", "1.0.8802.1.1.2.1.4.1.1", 4, 3),
    V2("1.3.111.2.802.1.1.13.1.3", "1.3.111.2.802.1.1.13.1.4.1.1", 5, 4);

    private final OID local;
    private final OID chassisSubtype;
    private final OID chassisId;
    private final OID portSubtype;
    private final OID portId;
    private final OID portDescription;
    private final OID systemName;
    private final int indexLength;

    Version(String local, String remote, int firstColumn, int indexLength) {
      this.local = new OID(local);
      chassisSubtype = column(remote, firstColumn);
      chassisId = column(remote, firstColumn + 1);
      portSubtype = column(remote, firstColumn + 2);
      portId = column(remote, firstColumn + 3);
      portDescription = column(remote, firstColumn + 4);
      systemName = column(remote, firstColumn + 5);
      this.indexLength = indexLength;
    }

    private static OID column(String table, int number) {
      return new OID(table).append(number);
    }

    private List<OID> columns() {
      return List.of(chassisSubtype, chassisId, portSubtype, portId, portDescription, systemName);
    }
  }

  private static final OID LOCAL_PORT_SUBTYPE = new OID("1.0.8802.1.1.2.1.3.7.1.2");
  private static final OID LOCAL_PORT_ID = new OID("1.0.8802.1.1.2.1.3.7.1.3");
  private static final OID LOCAL_PORT_DESCRIPTION = new OID("1.0.8802.1.1.2.1.3.7.1.4");

  /**
   * What LLDP says.
   *
   * @param chassisId the device's own; null where it does not say
   * @param complete whether all neighbours were read
   */
  record Seen(
      @Nullable String chassisId, List<Neighbour> neighbours, boolean complete, List<Walk> walks) {
    Seen {
      neighbours = List.copyOf(neighbours);
      walks = List.copyOf(walks);
    }
  }

  private LldpReader() {}

  static Seen read(TableWalker walker, PortTable ports, long deadline) throws InterruptedException {
    Walk remote = walker.walk("lldpRemTable", Version.V1.columns(), 0, deadline);
    if (remote.complete() && remote.rows() == 0) {
      Walk second = walker.walk("lldpV2RemTable", Version.V2.columns(), 0, deadline);
      if (second.rows() > 0 || !second.complete()) {
        return seen(Version.V2, second, null, walker, ports, deadline);
      }
    }
    Walk local =
        walker.walk(
            "lldpLocPortTable",
            List.of(LOCAL_PORT_SUBTYPE, LOCAL_PORT_ID, LOCAL_PORT_DESCRIPTION),
            0,
            deadline);
    return seen(Version.V1, remote, local, walker, ports, deadline);
  }

  private static Seen seen(
      Version version,
      Walk remote,
      @Nullable Walk local,
      TableWalker walker,
      PortTable ports,
      long deadline)
      throws InterruptedException {
    List<Walk> walks = new ArrayList<>(List.of(remote));
    boolean complete = remote.complete();
    if (local != null) {
      walks.add(local);
      complete &= local.complete();
    }
    List<OID> own = List.of(new OID(version.local).append(1), new OID(version.local).append(2));
    Walk chassis = walker.walk("lldpLocChassis", own, 1, deadline);
    walks.add(chassis);
    Column id = chassis.get(own.get(1));
    Column subtype = chassis.get(own.get(0));
    String chassisId =
        id.size() == 0
            ? null
            : chassisId(number(subtype.size() == 0 ? null : subtype.value(0)), id.value(0));
    return new Seen(chassisId, neighbours(version, remote, local, ports), complete, walks);
  }

  private static List<Neighbour> neighbours(
      Version version, Walk remote, @Nullable Walk local, PortTable ports) {
    List<Neighbour> neighbours = new ArrayList<>();
    // Any column may be missing; the longest one has the rows.
    Column longest =
        remote.columns().stream().max(Comparator.comparingInt(Column::size)).orElseThrow();
    for (int row = 0; row < longest.size(); row++) {
      int[] object = longest.object(row);
      if (object.length != longest.indexAt() + version.indexLength) {
        continue;
      }
      int chassisSubtype = number(remote.get(version.chassisSubtype).valueAt(object, row));
      int portSubtype = number(remote.get(version.portSubtype).valueAt(object, row));
      String systemName = Texts.text(remote.get(version.systemName).valueAt(object, row));
      String chassis =
          chassisId(chassisSubtype, remote.get(version.chassisId).valueAt(object, row));
      String description = Texts.text(remote.get(version.portDescription).valueAt(object, row));
      String port = portId(portSubtype, remote.get(version.portId).valueAt(object, row));
      String localPort = localPort(object[longest.indexAt() + 1], local, ports);
      neighbours.add(
          new Neighbour(
              localPort,
              orNull(systemName),
              systemName.isEmpty() && chassis.isEmpty() ? UNNAMED + localPort : chassis,
              !port.isEmpty() ? port : !description.isEmpty() ? description : UNKNOWN,
              kind(portSubtype),
              orNull(description)));
    }
    return neighbours;
  }

  /**
   * The own port's name. A local port number is no ifIndex: the local port table tells what it is.
   * Only where there is no such table (or none in the MIB's second version) is it taken for one.
   */
  private static String localPort(int number, @Nullable Walk local, PortTable ports) {
    String unknown = "lldp#" + Integer.toUnsignedString(number);
    Column ids = local == null ? null : local.get(LOCAL_PORT_ID);
    if (local == null || ids == null || ids.size() == 0) {
      String row = ports.rowName(number);
      return row == null ? unknown : row;
    }
    Variable id = ids.valueOf(number);
    int subtype = number(local.get(LOCAL_PORT_SUBTYPE).valueOf(number));
    String text = portId(subtype, id);
    String found = ports.resolve(text);
    // Junos gives its ifIndex as text, under the subtype "local".
    if (found == null && (subtype == PORT_LOCAL || subtype == 0) && text.matches("\\d{1,9}")) {
      found = ports.rowName(Integer.parseInt(text));
    }
    if (found == null) {
      found = ports.resolve(Texts.text(local.get(LOCAL_PORT_DESCRIPTION).valueOf(number)));
    }
    return found != null ? found : text.isEmpty() ? unknown : text;
  }

  static String chassisId(int subtype, @Nullable Variable id) {
    return identifier(id, subtype == CHASSIS_MAC, subtype == CHASSIS_ADDRESS);
  }

  static String portId(int subtype, @Nullable Variable id) {
    return identifier(id, subtype == PORT_MAC, subtype == PORT_ADDRESS);
  }

  static Neighbour.PortIdKind kind(int portSubtype) {
    return switch (portSubtype) {
      case 1 -> Neighbour.PortIdKind.INTERFACE_ALIAS;
      case PORT_MAC -> Neighbour.PortIdKind.MAC;
      case 5 -> Neighbour.PortIdKind.INTERFACE_NAME;
      case PORT_LOCAL -> Neighbour.PortIdKind.LOCAL;
      default -> Neighbour.PortIdKind.OTHER;
    };
  }

  private static String identifier(@Nullable Variable id, boolean isMac, boolean isAddress) {
    if (isMac) {
      String mac = Texts.mac(id);
      return mac == null ? Texts.text(id) : mac;
    }
    return isAddress ? address(id) : Texts.text(id);
  }

  /** The first octet is the IANA address family: 1 for IPv4, 2 for IPv6. */
  private static String address(@Nullable Variable id) {
    if (id instanceof OctetString octets && (octets.length() == 5 || octets.length() == 17)) {
      byte[] bytes = octets.getValue();
      try {
        return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 1, bytes.length))
            .getHostAddress();
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }
    return Texts.text(id);
  }

  private static int number(@Nullable Variable value) {
    return Numbers.isInteger(value) ? (int) Numbers.unsigned(value) : 0;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
