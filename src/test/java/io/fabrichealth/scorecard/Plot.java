package io.fabrichealth.scorecard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A small plot as SVG: points and bars on one or two logarithmic axes. Readable light and dark. */
final class Plot {
  private static final int WIDTH = 640;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 28;
  private static final int BOTTOM = 44;
  private static final String STYLE =
      """
      <style>
      text{font:12px sans-serif;fill:#57606a}.title{font-weight:bold}
      .axis{stroke:#8c959f;stroke-width:1}.grid{stroke:#8c959f;stroke-opacity:.25}
      .a{fill:#0969da;stroke:#0969da}.b{fill:#bf8700;stroke:#bf8700}.c{fill:#cf222e;stroke:#cf222e}
      .line{fill:none;stroke-dasharray:4 3}
      </style>
      """;

  private final int height;
  private final List<String> parts = new ArrayList<>();

  Plot(String title, int height) {
    this.height = height;
    add("<text class=\"title\" x=\"%d\" y=\"16\">%s</text>", LEFT, escape(title));
  }

  private void add(String pattern, Object... values) {
    parts.add(String.format(Locale.ROOT, pattern, values));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  String svg() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">
    %s%s
    </svg>
    """
        .formatted(WIDTH, height, STYLE, String.join("\n", parts));
  }

  /** What is said against what happens, both logarithmic from {@code least} to 1. */
  static String reliability(List<Calibration.Bin> bins, double least) {
    int side = 360;
    Plot plot = new Plot("What is said, and how often it is so", side);
    double from = Math.log10(least);
    for (int decade = (int) from; decade <= 0; decade++) {
      double x = LEFT + (decade - from) / -from * (side - LEFT);
      double y = side - BOTTOM - (decade - from) / -from * (side - BOTTOM - TOP);
      plot.add(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
          x, TOP, x, side - BOTTOM);
      plot.add(
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, side, y);
      plot.add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">1e%d</text>",
          x, side - BOTTOM + 16, decade);
      plot.add(
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>", LEFT - 6, y + 4, decade);
    }
    plot.add(
        "<line class=\"axis line\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
        LEFT, side - BOTTOM, side, TOP);
    for (Calibration.Bin bin : bins) {
      double x = Math.log10(Math.max(least, bin.said()));
      double y = Math.log10(Math.max(least, bin.happened()));
      plot.add(
          "<circle class=\"a\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>",
          LEFT + (x - from) / -from * (side - LEFT),
          side - BOTTOM - (y - from) / -from * (side - BOTTOM - TOP));
    }
    plot.add(
        "<text x=\"%d\" y=\"%d\">probability that is said; at the left edge: less</text>",
        LEFT, side - 8);
    return plot.svg();
  }

  /** One bar of a row. */
  record Bar(double value, String style) {}

  /** A row of bars. */
  record Row(String name, List<Bar> bars) {}

  /** Bars from {@code least} to {@code most}, logarithmic; what is not a number has none. */
  static String bars(String title, String unit, List<Row> rows, double least, double most) {
    int each = 14;
    int names = 250;
    int step = rows.isEmpty() ? each : each * rows.getFirst().bars().size() + 8;
    Plot plot = new Plot(title, TOP + step * rows.size() + BOTTOM);
    double from = Math.log10(least);
    double width = WIDTH - names - RIGHT;
    double scale = width / (Math.log10(most) - from);
    int bottom = TOP + step * rows.size();
    for (int decade = (int) Math.ceil(from); decade <= Math.log10(most); decade++) {
      double x = names + (decade - from) * scale;
      plot.add(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x, bottom);
      plot.add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x, bottom + 16, Figures.number(Math.pow(10, decade)));
    }
    for (int row = 0; row < rows.size(); row++) {
      int y = TOP + step * row;
      plot.add(
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
          names - 8, y + step / 2 + 2, escape(rows.get(row).name()));
      int bar = 0;
      for (Bar one : rows.get(row).bars()) {
        if (Double.isFinite(one.value())) {
          double end = Math.log10(Math.clamp(one.value(), least, most));
          plot.add(
              "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
              one.style(), names, y + each * bar, Math.max(1, (end - from) * scale), each - 3);
        }
        bar++;
      }
    }
    plot.add("<text x=\"%d\" y=\"%d\">%s</text>", names, bottom + 34, escape(unit));
    return plot.svg();
  }
}
