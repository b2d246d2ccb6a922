package io.fabrichealth.collect.wiring;

import io.fabrichealth.collect.wiring.CsvRows.Row;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a cabling plan in NVIDIA's network diagram table (NDT), as UFM takes it. Its header begins
 * with {@code #Fields:}, which need not stand in the first column; some columns have no name, and
 * some names occur twice.
 *
 * <p>A port that is called {@code Port 21} gets the name {@code 21}, as InfiniBand tools have it,
 * and keeps the other as an alias. Speed is in Mb/s.
 *
 * <p>Source: the NDT plugin of NVIDIA's UFM SDK.
 */
public final class NdtReader {
  private static final String MARK = "#Fields:";
  private static final Pattern NUMBERED = Pattern.compile("(?i)port\\s+(\\d+)");

  private NdtReader() {}

  /**
   * @throws WiringFormatException where there is no header with the columns of both ends
   */
  public static ImportedWiring read(String document) throws WiringFormatException {
    List<Row> rows = CsvRows.read(document);
    int at = 0;
    while (at < rows.size() && mark(rows.get(at)) < 0) {
      at++;
    }
    if (at == rows.size()) {
      throw new WiringFormatException(1, "no header: no cell begins with " + MARK);
    }
    Row header = rows.get(at);
    int from = mark(header);
    int startDevice = column(header, from, "startdevice");
    int startPort = column(header, from, "startport");
    int endDevice = column(header, from, "enddevice");
    int endPort = column(header, from, "endport");
    int speed = optional(header, from, "speed");
    CableList cables = new CableList();
    for (Row row : rows.subList(at + 1, rows.size())) {
      String missing =
          row.cell(startDevice).isEmpty()
              ? "StartDevice"
              : row.cell(startPort).isEmpty()
                  ? "StartPort"
                  : row.cell(endDevice).isEmpty()
                      ? "EndDevice"
                      : row.cell(endPort).isEmpty() ? "EndPort" : null;
      if (missing != null) {
        cables.refusals().add(row.line(), missing, "is empty");
        continue;
      }
      long bitsPerSecond = speed(row, speed, cables.refusals());
      cables.cable(
          row.line(),
          port(row.cell(startDevice), row.cell(startPort), bitsPerSecond),
          port(row.cell(endDevice), row.cell(endPort), bitsPerSecond));
    }
    return cables.build(List.of());
  }

  private static int mark(Row row) {
    for (int at = 0; at < row.cells().size(); at++) {
      if (row.cell(at).startsWith(MARK)) {
        return at;
      }
    }
    return -1;
  }

  private static int column(Row header, int from, String name) throws WiringFormatException {
    int column = optional(header, from, name);
    if (column < 0) {
      throw new WiringFormatException(
          header.line(), "no column " + name + ": StartDevice, StartPort, EndDevice, EndPort");
    }
    return column;
  }

  private static int optional(Row header, int from, String name) {
    for (int at = from; at < header.cells().size(); at++) {
      String cell = header.cell(at);
      String plain = at == from ? cell.substring(MARK.length()).strip() : cell;
      if (plain.replace(" ", "").toLowerCase(Locale.ROOT).equals(name)) {
        return at;
      }
    }
    return -1;
  }

  /** A cable whose speed cannot be read is a cable all the same. */
  private static long speed(Row row, int column, Refusals refusals) {
    String text = row.cell(column);
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long megabits = Long.parseLong(text);
      if (megabits > 0 && megabits <= 100_000_000) {
        return megabits * 1_000_000;
      }
    } catch (NumberFormatException e) {
      // Said below, like a number that cannot be.
    }
    refusals.add(row.line(), "Speed", Refusals.quoted(text) + " is no speed in Mb/s; left out");
    return 0;
  }

  private static Port port(String device, String name, long speed) {
    Matcher numbered = NUMBERED.matcher(name);
    boolean isNumbered = numbered.matches();
    return new Port(
        new PortId(device, isNumbered ? numbered.group(1) : name),
        speed,
        0,
        FecMode.UNKNOWN,
        Media.UNKNOWN,
        null,
        0,
        true,
        isNumbered ? List.of(name) : List.of());
  }
}
