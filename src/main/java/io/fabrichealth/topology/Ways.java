package io.fabrichealth.topology;

/**
 * The shortest paths that a flow may take, and how likely each is when every hop spreads flows
 * evenly. Not to be changed by who gets it.
 *
 * @param paths directed links in order, as {@link Paths} numbers them
 * @param weights of the sum 1; empty where there is no path, or there are too many to tell apart
 */
public record Ways(int[][] paths, double[] weights) {
  static final Ways NONE = new Ways(new int[0][], new double[0]);

  public boolean isEmpty() {
    return paths.length == 0;
  }
}
