package io.fabrichealth.latency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What flows sent and lost over which candidates: the input of {@link LossLocalisation}.
 *
 * <p>Candidates are numbers from 0; what each stands for (a direction of a link, a switch, a shared
 * component) is the caller's. A flow that lost nothing leaves only its exposure, so that millions
 * of them cost memory by candidates, not by flows. Not for use by several threads.
 */
public final class FlowLosses {
  private final double[] exposure;
  private final List<Choice> choices = new ArrayList<>();
  private double hopExposure;
  private double totalLost;

  private int[] elements = new int[1_024];
  private int[] starts = new int[257];
  private double[] lost = new double[256];
  private int[] hops = new int[256];
  private int lossy;

  public FlowLosses(int candidates) {
    exposure = new double[candidates];
  }

  /**
   * Adds the packets of a flow of which the path is known.
   *
   * @param path candidates in any order; one that is crossed twice stands twice
   * @param from index of the first
   * @param to index after the last
   * @param links how many links were crossed: each has its part of the background noise
   */
  public void add(int[] path, int from, int to, int links, long sent, long lost) {
    double arrived = sent - lost;
    for (int i = from; i < to; i++) {
      exposure[path[i]] += arrived;
    }
    hopExposure += arrived * links;
    if (lost > 0) {
      store(path, from, to, links, lost);
    }
  }

  /**
   * Adds the packets of a flow that took one of several paths.
   *
   * @param paths as in {@link #add}; kept, not copied
   * @param weights how likely each is, of the sum 1
   * @param links how many links were crossed, on average
   */
  public void addChoice(int[][] paths, double[] weights, int links, long sent, long lost) {
    if (paths.length == 1) {
      add(paths[0], 0, paths[0].length, links, sent, lost);
      return;
    }
    choices.add(new Choice(paths, weights, links, sent - lost, lost));
    hopExposure += (double) (sent - lost) * links;
    totalLost += lost;
  }

  private void store(int[] path, int from, int to, int links, long gone) {
    int at = starts[lossy];
    int length = to - from;
    if (at + length > elements.length) {
      elements = Arrays.copyOf(elements, Math.max(at + length, 2 * elements.length));
    }
    if (lossy == lost.length) {
      lost = Arrays.copyOf(lost, 2 * lossy);
      hops = Arrays.copyOf(hops, 2 * lossy);
      starts = Arrays.copyOf(starts, 2 * lossy + 1);
    }
    System.arraycopy(path, from, elements, at, length);
    Arrays.sort(elements, at, at + length);
    lost[lossy] = gone;
    hops[lossy] = links;
    starts[++lossy] = at + length;
    totalLost += gone;
  }

  int candidates() {
    return exposure.length;
  }

  /** Packets that crossed the candidate and arrived, of flows whose path is known. */
  double exposure(int candidate) {
    return exposure[candidate];
  }

  /** Packets that arrived, times the links that they crossed. */
  double hopExposure() {
    return hopExposure;
  }

  double totalLost() {
    return totalLost;
  }

  /** Flows of known path that lost packets. */
  int lossyFlows() {
    return lossy;
  }

  double lost(int flow) {
    return lost[flow];
  }

  int hops(int flow) {
    return hops[flow];
  }

  int start(int flow) {
    return starts[flow];
  }

  /** Candidates of all lossy flows, each flow's from its start to the next one's, sorted. */
  int element(int index) {
    return elements[index];
  }

  List<Choice> choices() {
    return choices;
  }

  /** A flow of which only the possible paths are known. */
  record Choice(int[][] paths, double[] weights, int hops, double arrived, double lost) {}
}
