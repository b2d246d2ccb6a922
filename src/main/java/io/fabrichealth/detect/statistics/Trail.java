package io.fabrichealth.detect.statistics;

import java.util.Arrays;

/**
 * Sums that grow from poll to poll, kept as points: the last few one by one, the older ones as
 * means over 2, 4, 8 and more of them. A mean of points of a straight line lies on the line, and
 * has the less noise, so that little is lost for a test of its slope.
 *
 * <p>The room is bounded: so many points of each size, of which the largest is 64.
 *
 * @param columns sums that are kept side by side
 * @param room points of each size, 2 or more
 * @param sizes points in each mean, the oldest first
 * @param values of the means, relative to the oldest of them, row by row
 * @param last the last point, relative to the same
 */
public record Trail(int columns, int room, byte[] sizes, float[] values, double[] last) {
  private static final int LARGEST = 64;

  /** One that holds the point where all sums are 0. */
  public static Trail begin(int columns, int room) {
    return new Trail(columns, room, new byte[] {1}, new float[columns], new double[columns]);
  }

  /** After the sums grew by that much. */
  public Trail plus(double... growth) {
    double[] point = new double[columns];
    for (int column = 0; column < columns; column++) {
      point[column] = last[column] + growth[column];
    }
    int length = sizes.length;
    byte[] nextSizes = Arrays.copyOf(sizes, length + 1);
    float[] nextValues = Arrays.copyOf(values, (length + 1) * columns);
    nextSizes[length] = 1;
    for (int column = 0; column < columns; column++) {
      nextValues[length * columns + column] = (float) point[column];
    }
    return merged(nextSizes, nextValues, point);
  }

  private Trail merged(byte[] ofSizes, float[] ofValues, double[] point) {
    int length = ofSizes.length;
    for (int size = 1; size <= LARGEST; size *= 2) {
      int first = 0;
      while (first < length && ofSizes[first] > size) {
        first++;
      }
      int count = 0;
      while (first + count < length && ofSizes[first + count] == size) {
        count++;
      }
      if (count <= room) {
        break;
      }
      if (size == LARGEST) {
        return withoutOldest(ofSizes, ofValues, point, length);
      }
      ofSizes[first] = (byte) (2 * size);
      for (int column = 0; column < columns; column++) {
        int at = first * columns + column;
        ofValues[at] = (ofValues[at] + ofValues[at + columns]) / 2;
      }
      int from = (first + 2) * columns;
      System.arraycopy(ofValues, from, ofValues, from - columns, length * columns - from);
      System.arraycopy(ofSizes, first + 2, ofSizes, first + 1, length - first - 2);
      length--;
    }
    return new Trail(
        columns,
        room,
        Arrays.copyOf(ofSizes, length),
        Arrays.copyOf(ofValues, length * columns),
        point);
  }

  private Trail withoutOldest(byte[] ofSizes, float[] ofValues, double[] point, int length) {
    float[] kept = Arrays.copyOfRange(ofValues, columns, length * columns);
    double[] base = new double[columns];
    for (int column = 0; column < columns; column++) {
      base[column] = kept[column];
      point[column] -= base[column];
    }
    for (int at = 0; at < kept.length; at++) {
      kept[at] = (float) (kept[at] - base[at % columns]);
    }
    return new Trail(columns, room, Arrays.copyOfRange(ofSizes, 1, length), kept, point);
  }

  /** Number of means and points. */
  public int length() {
    return sizes.length;
  }

  public double value(int at, int column) {
    return values[at * columns + column];
  }

  /** How much the sum grew since the oldest point. */
  public double growth(int column) {
    return last[column];
  }

  /** Points that went in, but for those forgotten. */
  public int points() {
    int points = 0;
    for (byte size : sizes) {
      points += size;
    }
    return points;
  }
}
