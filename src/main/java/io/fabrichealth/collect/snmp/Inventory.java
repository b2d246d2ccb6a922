package io.fabrichealth.collect.snmp;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/**
 * The rows of ifTable and ifXTable as a device names them (IF-MIB, RFC 2863).
 *
 * @param complete whether every row was read; a row of which the name is not known yet is not here
 */
record Inventory(List<InterfaceRow> rows, boolean complete, List<Walk> walks) {
  private static final OID DESCRIPTION = new OID("1.3.6.1.2.1.2.2.1.2");
  private static final OID TYPE = new OID("1.3.6.1.2.1.2.2.1.3");
  private static final OID MTU = new OID("1.3.6.1.2.1.2.2.1.4");
  private static final OID PHYSICAL_ADDRESS = new OID("1.3.6.1.2.1.2.2.1.6");
  private static final OID ADMIN_STATUS = new OID("1.3.6.1.2.1.2.2.1.7");
  private static final OID NAME = new OID("1.3.6.1.2.1.31.1.1.1.1");
  private static final OID HIGH_SPEED = new OID("1.3.6.1.2.1.31.1.1.1.15");
  private static final OID ALIAS = new OID("1.3.6.1.2.1.31.1.1.1.18");
  private static final long MEGA = 1_000_000;
  private static final int ADMIN_UP = 1;

  Inventory {
    rows = List.copyOf(rows);
    walks = List.copyOf(walks);
  }

  static Inventory read(TableWalker walker, int expectedRows, long deadline)
      throws InterruptedException {
    Walk names =
        walker.walk("ifXTable names", List.of(NAME, HIGH_SPEED, ALIAS), expectedRows, deadline);
    Walk rows =
        walker.walk(
            "ifTable names",
            List.of(DESCRIPTION, TYPE, MTU, PHYSICAL_ADDRESS, ADMIN_STATUS),
            expectedRows,
            deadline);
    return of(names, rows);
  }

  private static Inventory of(Walk names, Walk rows) {
    Column name = names.get(NAME);
    Column description = rows.get(DESCRIPTION);
    Column type = rows.get(TYPE);
    // Until it is known whether there are names, a description must not become one.
    boolean namesKnown = name.ended() || name.size() > 0;
    Set<Integer> indexes = new TreeSet<>(Integer::compareUnsigned);
    for (Column column : List.of(name, description, type)) {
      for (int row = 0; row < column.size(); row++) {
        if (column.object(row).length == column.indexAt() + 1) {
          indexes.add(column.lastIndex(row));
        }
      }
    }
    List<InterfaceRow> found = new ArrayList<>();
    for (int index : indexes) {
      String ifName = Texts.text(name.valueOf(index));
      String ifDescr = Texts.text(description.valueOf(index));
      Variable ifType = type.valueOf(index);
      boolean nameMayCome = ifName.isEmpty() && !name.ended();
      boolean typeMayCome = ifType == null && !type.ended();
      if (namesKnown && !nameMayCome && !typeMayCome && !(ifName.isEmpty() && ifDescr.isEmpty())) {
        found.add(
            new InterfaceRow(
                index,
                ifName,
                ifDescr,
                (int) number(ifType),
                Texts.text(names.get(ALIAS).valueOf(index)),
                number(names.get(HIGH_SPEED).valueOf(index)) * MEGA,
                (int) number(rows.get(MTU).valueOf(index)),
                adminUp(rows.get(ADMIN_STATUS).valueOf(index)),
                Texts.mac(rows.get(PHYSICAL_ADDRESS).valueOf(index))));
      }
    }
    return new Inventory(found, names.complete() && rows.complete(), List.of(names, rows));
  }

  /** MAC addresses of Ethernet rows: a neighbour may know the device by any of them. */
  Set<String> macs() {
    Set<String> macs = new LinkedHashSet<>();
    for (InterfaceRow row : rows) {
      if (row.mac() != null && row.type() == ETHERNET) {
        macs.add(row.mac());
      }
    }
    return macs;
  }

  private static final int ETHERNET = 6;

  private static boolean adminUp(@Nullable Variable status) {
    return status == null || number(status) == ADMIN_UP;
  }

  private static long number(@Nullable Variable value) {
    return Numbers.isInteger(value) ? Math.max(0, Numbers.unsigned(value)) : 0;
  }
}
