package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.FailureCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counters as {@code perfquery} and {@code ibqueryerrors} print them, one text or several in a row.
 *
 * <p>{@code perfquery} gives every counter of a port. {@code ibqueryerrors} leaves out those that
 * are not above their threshold, and whole nodes without such: they are not read, not zero.
 *
 * <p>Source: perfquery(8) and ibqueryerrors(8) of rdma-core and their sources for the layout.
 */
final class CounterText {
  private static final int EXTENDED_WIDTHS = 0x200 | 0x400;
  private static final int HAS_TRANSMIT_WAIT = 0x1000;
  private static final int MOST_PORTS = 1_000_000;

  private final Refusals refusals = new Refusals();
  private final List<PortCounters> ports = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private @Nullable PortCounters dump;
  private boolean isWide;
  private boolean hasTransmitWait;
  private boolean inOtherDump;
  private boolean hasErrorReport;
  private boolean hasSummary;
  private boolean begun;
  private int preamble;

  /** Takes the next line. */
  void line(String line, int number) {
    LineCursor cursor = new LineCursor(line);
    if (cursor.isAtEnd()) {
      return;
    }
    boolean taken =
        line.startsWith("##")
            ? takeSummary(new LineCursor(line))
            : cursor.take("#")
                ? takeHeader(cursor, number)
                : takeReport(new LineCursor(line), line, number) || takeValue(line, number);
    if (taken) {
      begun = true;
    } else if (begun) {
      refusals.line(number, "not understood: " + Refusals.shortened(line));
    } else {
      preamble++;
    }
  }

  /** After the last line. */
  void end() {
    close();
    if (!begun && preamble > 0) {
      refusals.line(1, "none of the %d lines is of perfquery or ibqueryerrors".formatted(preamble));
    }
    if (hasErrorReport && !hasSummary) {
      refusals.add(FailureCode.PARTIAL, "ibqueryerrors ends without its summary");
    }
  }

  List<PortCounters> ports() {
    return ports;
  }

  Refusals refusals() {
    return refusals;
  }

  List<String> remarks() {
    return remarks;
  }

  private void close() {
    PortCounters read = dump;
    dump = null;
    inOtherDump = false;
    if (read != null && !read.isEmpty() && ports.size() < MOST_PORTS) {
      ports.add(read);
    }
  }

  /**
   * {@code # Port extended counters: Lid 23 port 5 (CapMask: 0x5300 CapMask2: 0x0000002)}; the
   * other attributes that perfquery can print have other words.
   */
  private boolean takeHeader(LineCursor cursor, int number) {
    close();
    if (!cursor.take("Port")) {
      return true;
    }
    isWide = cursor.take("extended");
    if (!cursor.take("counters:")) {
      inOtherDump = true;
      return true;
    }
    boolean hasLid = cursor.take("Lid");
    int lid = hasLid ? cursor.number() : -1;
    int port = cursor.take("port") ? cursor.number() : -1;
    if (lid < 1 || port < 0) {
      refusals.line(number, "counters of a port without its LID and number");
      inOtherDump = true;
      return true;
    }
    int capabilities =
        cursor.take("(CapMask:") ? (int) cursor.guid() : EXTENDED_WIDTHS | HAS_TRANSMIT_WAIT;
    hasTransmitWait = isWide || (capabilities & HAS_TRANSMIT_WAIT) != 0;
    if (port == PortCounters.ALL) {
      inOtherDump = true;
    } else if (isWide && (capabilities & EXTENDED_WIDTHS) == 0) {
      remarks.add(
          "extended counters of a node that has none (LID %d, port %d)".formatted(lid, port));
      inOtherDump = true;
    } else {
      dump = new PortCounters(0, lid, port);
    }
    return true;
  }

  /** {@code PortXmitData:....................36298026860928}. */
  private boolean takeValue(String line, int number) {
    int colon = line.indexOf(':');
    if (colon < 1 || (dump == null && !inOtherDump)) {
      return false;
    }
    PmaCounter counter = PmaCounter.of(line.substring(0, colon).strip());
    PortCounters of = dump;
    if (counter == null || of == null) {
      return true;
    }
    int at = colon + 1;
    while (at < line.length() && line.charAt(at) == '.') {
      at++;
    }
    put(of, counter, line.substring(at).strip(), isWide, number);
    return true;
  }

  private void put(
      PortCounters of, PmaCounter counter, String value, boolean wideValue, int number) {
    if (counter == PmaCounter.TRANSMIT_WAIT && !hasTransmitWait) {
      // Printed as zero where the agent does not count it.
      return;
    }
    try {
      boolean isHex = value.startsWith("0x");
      long read =
          isHex ? Long.parseUnsignedLong(value.substring(2), 16) : Long.parseUnsignedLong(value);
      of.put(counter, read, wideValue);
    } catch (NumberFormatException e) {
      refusals.line(
          number, "'%s' is no value of a counter of 64 bits".formatted(Refusals.shortened(value)));
    }
  }

  /** {@code ## Summary: 16 nodes checked, 0 bad nodes found}, and what stands below it. */
  private boolean takeSummary(LineCursor cursor) {
    close();
    cursor.take("##");
    if (cursor.take("Summary:")) {
      hasSummary = true;
    } else {
      int count = cursor.number();
      if (count > 0 && cursor.take("PMA query failures")) {
        refusals.add(FailureCode.PARTIAL, "ibqueryerrors could not read %d times".formatted(count));
      }
    }
    return true;
  }

  /** A heading of ibqueryerrors, a port below it, or its link. */
  private boolean takeReport(LineCursor cursor, String line, int number) {
    if (cursor.take("Errors for") || cursor.take("Data Counters for")) {
      close();
      hasErrorReport = true;
      return true;
    }
    if (cursor.take("Link info:")) {
      return true;
    }
    if (!cursor.take("GUID")) {
      return false;
    }
    close();
    hasErrorReport = true;
    long guid = cursor.guid();
    boolean hasPort = guid != 0 && cursor.take("port");
    if (hasPort && cursor.take("ALL")) {
      return true;
    }
    int port = hasPort ? cursor.number() : -1;
    if (port < 0 || !cursor.take(":")) {
      refusals.line(number, "no port in: " + Refusals.shortened(line));
      return true;
    }
    PortCounters read = new PortCounters(guid, 0, port);
    hasTransmitWait = true;
    boolean extended = line.contains("[PortUnicastXmitPkts ");
    while (cursor.take("[")) {
      String entry = cursor.upTo("]");
      if (entry == null) {
        refusals.line(number, "a counter without end");
        break;
      }
      takeEntry(read, entry, extended, number);
    }
    if (!read.isEmpty() && ports.size() < MOST_PORTS) {
      ports.add(read);
    }
    return true;
  }

  /** {@code PortXmitData == 812 (3.172KB)}; classic errors have no amount in parentheses. */
  private void takeEntry(PortCounters of, String entry, boolean extended, int number) {
    int equals = entry.indexOf("==");
    PmaCounter counter = equals < 0 ? null : PmaCounter.of(entry.substring(0, equals).strip());
    if (counter != null) {
      String value = entry.substring(equals + 2).strip();
      int amount = value.indexOf(' ');
      boolean wideValue = counter.countsTraffic() ? extended : amount > 0;
      put(of, counter, amount > 0 ? value.substring(0, amount) : value, wideValue, number);
    }
  }
}
