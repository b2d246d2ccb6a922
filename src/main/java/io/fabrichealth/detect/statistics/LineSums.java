package io.fabrichealth.detect.statistics;

/** Straight lines through any run of points, by least squares, each at the cost of a few sums. */
final class LineSums {
  private static final double TINY = 1e-300;

  private final double[] x;
  private final double[] y;
  private final byte[] sizes;
  private final double[] weight;
  private final double[] ofX;
  private final double[] ofY;
  private final double[] ofXx;
  private final double[] ofXy;
  private final double[] ofYy;
  private final double middleX;
  private final double middleY;

  /**
   * A line.
   *
   * @param spread sum of the squares of x around their mean, weighted
   * @param squares sum of the squares of the residuals, weighted
   */
  record Line(double slope, double spread, double squares) {}

  LineSums(double[] x, double[] y, byte[] sizes) {
    this.x = x;
    this.y = y;
    this.sizes = sizes;
    int length = x.length;
    weight = new double[length + 1];
    ofX = new double[length + 1];
    ofY = new double[length + 1];
    ofXx = new double[length + 1];
    ofXy = new double[length + 1];
    ofYy = new double[length + 1];
    middleX = x[length / 2];
    middleY = y[length / 2];
    for (int at = 0; at < length; at++) {
      double apartX = x[at] - middleX;
      double apartY = y[at] - middleY;
      weight[at + 1] = weight[at] + sizes[at];
      ofX[at + 1] = ofX[at] + sizes[at] * apartX;
      ofY[at + 1] = ofY[at] + sizes[at] * apartY;
      ofXx[at + 1] = ofXx[at] + sizes[at] * apartX * apartX;
      ofXy[at + 1] = ofXy[at] + sizes[at] * apartX * apartY;
      ofYy[at + 1] = ofYy[at] + sizes[at] * apartY * apartY;
    }
  }

  Line line(int from, int to) {
    double sum = weight[to] - weight[from];
    double sumX = ofX[to] - ofX[from];
    double sumY = ofY[to] - ofY[from];
    double spread = Math.max(TINY, ofXx[to] - ofXx[from] - sumX * sumX / sum);
    double both = ofXy[to] - ofXy[from] - sumX * sumY / sum;
    double slope = both / spread;
    double squares = ofYy[to] - ofYy[from] - sumY * sumY / sum - slope * both;
    return new Line(slope, spread, Math.max(0, squares));
  }

  int length() {
    return x.length;
  }

  /** How alike neighbouring residuals of the line through these points are: -1 to 1. */
  double alike(Line line, int from, int to) {
    double sum = weight[to] - weight[from];
    double meanX = middleX + (ofX[to] - ofX[from]) / sum;
    double meanY = middleY + (ofY[to] - ofY[from]) / sum;
    double squares = 0;
    double products = 0;
    double last = 0;
    for (int at = from; at < to; at++) {
      double off = y[at] - meanY - line.slope() * (x[at] - meanX);
      double residual = off * Math.sqrt(sizes[at]);
      squares += residual * residual;
      products += residual * last;
      last = residual;
    }
    return squares > 0 ? products / squares : 0;
  }
}
