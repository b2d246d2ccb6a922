package io.fabrichealth.collective.log;

import io.fabrichealth.collective.log.NcclTest.Device;
import io.fabrichealth.collective.log.NcclTest.Row;
import io.fabrichealth.collective.log.NcclTest.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of nccl-tests, with and without the columns of redop and root, with NCCL's lines
 * between their rows. One file may hold many runs, each with a head of its own.
 */
final class NcclTestMessages {
  private static final int MOST_ROWS = 1 << 16;
  private static final int MOST_DEVICES = 1 << 17;
  private static final Pattern DEVICE =
      Pattern.compile(
          "#\\s{1,8}Rank\\s{1,8}(?<rank>\\d{1,7})\\s{1,8}(?:Group\\s{1,8}\\d{1,7}\\s{1,8})?Pid\\s{1,12}(?<pid>\\d{1,9})"
              + " on\\s{1,80}(?<host>\\S{1,255}) device\\s{1,4}(?<index>\\d{1,4})"
              + " \\[(?<bus>[^\\]]{1,20})\\]\\s?(?<model>.{0,80})");
  private static final Pattern ROW =
      Pattern.compile(
          "\\s*(?<size>\\d{1,18})\\s+(?<count>\\d{1,18})\\s+(?<type>[a-z][a-z0-9_]{1,15})"
              + "(?:\\s+(?<redop>[a-z]{1,10}))?(?:\\s+(?<root>-?\\d{1,7}))?"
              + "(?<first>(?:\\s+(?:[\\d.]{1,20}(?:e[+-]\\d{1,3})?|N/A|nan|inf)){4})"
              + "(?<second>(?:\\s+(?:[\\d.]{1,20}(?:e[+-]\\d{1,3})?|N/A|nan|inf)){4})?\\s*");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern BOUNDS = Pattern.compile("# Out of bounds values : (\\d{1,18})");
  private static final Pattern AVERAGE =
      Pattern.compile("# Avg bus bandwidth\\s{1,8}: ([\\d.]{1,20})");
  private static final Pattern NAME = Pattern.compile("\\b([a-z_]{3,20})_perf\\b");

  private static final List<String> NAMES =
      List.of(
          "all_reduce",
          "all_gather",
          "reduce_scatter",
          "alltoall",
          "broadcast",
          "sendrecv",
          "hypercube",
          "gather",
          "scatter",
          "reduce");

  private final List<NcclTest> tests = new ArrayList<>();
  private final String source;
  private List<Device> devices = new ArrayList<>();
  private List<Row> rows = new ArrayList<>();
  private String operation = "";
  private long outOfBounds = -1;
  private double average = Double.NaN;
  private boolean isOpen;
  private long line;
  private int kept;
  private int keptDevices;
  private long leftOut;

  NcclTestMessages(String source) {
    this.source = source;
  }

  boolean isOpen() {
    return isOpen;
  }

  void line(String text, long number) {
    int hash = text.indexOf('#');
    if (hash >= 0 && text.substring(0, hash).isBlank()) {
      comment(text, number);
    } else if (isOpen) {
      Matcher row = ROW.matcher(text);
      if (row.matches()) {
        row(row);
      }
    } else {
      name(text);
    }
  }

  private void comment(String text, long number) {
    Matcher device = DEVICE.matcher(text);
    Matcher bounds = BOUNDS.matcher(text);
    Matcher mean = AVERAGE.matcher(text);
    if (text.contains("nThread ") && text.contains("minBytes")) {
      close();
      isOpen = true;
      line = number;
    } else if (device.find()) {
      isOpen = true;
      if (keptDevices++ < MOST_DEVICES) {
        devices.add(
            new Device(
                Integer.parseInt(device.group("rank")),
                device.group("host"),
                Integer.parseInt(device.group("pid")),
                Integer.parseInt(device.group("index")),
                device.group("bus"),
                device.group("model").strip()));
      } else {
        leftOut++;
      }
    } else if (text.contains("size") && text.contains("count") && text.contains("type")) {
      isOpen = true;
      line = line == 0 ? number : line;
    } else if (bounds.find()) {
      outOfBounds = Long.parseLong(bounds.group(1));
    } else if (mean.find()) {
      average = number(mean.group(1));
      close();
    } else {
      name(text);
    }
  }

  private void name(String text) {
    Matcher named = NAME.matcher(text);
    if (named.find()) {
      operation = named.group(1);
    }
  }

  private void row(Matcher row) {
    if (kept++ >= MOST_ROWS) {
      leftOut++;
      return;
    }
    String root = row.group("root");
    String first = row.group("first");
    rows.add(
        new Row(
            Long.parseLong(row.group("size")),
            Long.parseLong(row.group("count")),
            row.group("type"),
            row.group("redop") == null || row.group("redop").equals("none")
                ? ""
                : row.group("redop"),
            root == null ? -1 : Integer.parseInt(root),
            timing(first),
            row.group("second") == null ? null : timing(row.group("second"))));
  }

  private static @Nullable Timing timing(String columns) {
    String[] values = SPACE.split(columns.strip());
    double micros = number(values[0]);
    double wrong = number(values[3]);
    return Double.isNaN(micros)
        ? null
        : new Timing(
            micros,
            number(values[1]),
            number(values[2]),
            Double.isNaN(wrong) ? -1 : (long) Math.ceil(wrong));
  }

  private static double number(String text) {
    try {
      return text.equals("N/A") || text.equals("nan") ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }

  private void close() {
    if (!rows.isEmpty()) {
      String known = operation.isEmpty() ? guess() : operation;
      tests.add(new NcclTest(source, known, devices, rows, outOfBounds, average, line));
      operation = "";
    }
    isOpen = false;
    devices = new ArrayList<>();
    rows = new ArrayList<>();
    outOfBounds = -1;
    average = Double.NaN;
    line = 0;
  }

  /**
   * The table does not say what it is of. The ratio of its bandwidths tells where there is a redop;
   * what several operations have in common is left to the file's name.
   */
  private String guess() {
    String name = source.substring(source.lastIndexOf('/') + 1).replace("_", "").replace("-", "");
    for (String known : NAMES) {
      if (name.contains(known.replace("_", ""))) {
        return known;
      }
    }
    int ranks = devices.size();
    boolean hasRedop = rows.stream().anyMatch(row -> !row.redop().isEmpty());
    Row last = rows.getLast();
    Timing timing = last.outOfPlace();
    if (!hasRedop || ranks < 3 || timing == null || timing.algorithmBandwidth() < 1) {
      return "";
    }
    double ratio = timing.busBandwidth() / timing.algorithmBandwidth();
    if (Math.abs(ratio - NcclTest.factor("all_reduce", ranks)) < .01) {
      return "all_reduce";
    }
    boolean isPart = Math.abs(ratio - NcclTest.factor("reduce_scatter", ranks)) < .01;
    return isPart ? "reduce_scatter" : "";
  }

  List<NcclTest> finish() {
    close();
    return tests;
  }

  long leftOut() {
    return leftOut;
  }
}
