package io.fabrichealth.benchmark.localise;

import java.util.BitSet;

/**
 * Flows over a fabric of which some links lose packets, and which links those are.
 *
 * @param candidates directed links
 * @param elements directed links of all flows, each flow's from its start to the next one's
 * @param faulty what should be found
 */
record LossTrace(
    int candidates,
    int flows,
    byte[] lengths,
    short[] elements,
    int[] sent,
    int[] lost,
    BitSet faulty) {

  /** Where a flow's path begins among the elements, for walks in the order of the flows. */
  interface Walk {
    void flow(int flow, int start, int end);
  }

  void walk(Walk walk) {
    int start = 0;
    for (int flow = 0; flow < flows; flow++) {
      int end = start + lengths[flow];
      walk.flow(flow, start, end);
      start = end;
    }
  }
}
