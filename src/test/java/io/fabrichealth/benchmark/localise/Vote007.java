package io.fabrichealth.benchmark.localise;

import java.util.BitSet;

/**
 * Votes of lossy flows, as 007 counts them (Arzani et al., NSDI 2018): each gives 1/h to every link
 * of its path; the link with the most votes is blamed, its flows are taken out, and so on while the
 * first has more than a share of all votes. Written after the paper.
 */
final class Vote007 {
  private Vote007() {}

  /**
   * @param share of all votes that a link needs
   */
  static BitSet blamed(LossTrace trace, double share) {
    int lossy = 0;
    for (int lost : trace.lost()) {
      lossy += lost > 0 ? 1 : 0;
    }
    int[] starts = new int[lossy];
    int[] ends = new int[lossy];
    int[] count = {0};
    double[] votes = new double[trace.candidates()];
    trace.walk(
        (flow, start, end) -> {
          if (trace.lost()[flow] > 0) {
            starts[count[0]] = start;
            ends[count[0]++] = end;
            vote(trace, votes, start, end, 1);
          }
        });
    double all = 0;
    for (double of : votes) {
      all += of;
    }
    BitSet blamed = new BitSet();
    while (true) {
      int first = 0;
      for (int link = 1; link < votes.length; link++) {
        first = votes[link] > votes[first] ? link : first;
      }
      if (votes[first] <= 1e-9 || votes[first] < share * all) {
        return blamed;
      }
      blamed.set(first);
      for (int flow = 0; flow < lossy; flow++) {
        if (ends[flow] > starts[flow] && crosses(trace, first, starts[flow], ends[flow])) {
          vote(trace, votes, starts[flow], ends[flow], -1);
          ends[flow] = starts[flow];
        }
      }
      votes[first] = 0;
    }
  }

  private static void vote(LossTrace trace, double[] votes, int start, int end, int sign) {
    for (int i = start; i < end; i++) {
      votes[trace.elements()[i]] += (double) sign / (end - start);
    }
  }

  private static boolean crosses(LossTrace trace, int link, int start, int end) {
    for (int i = start; i < end; i++) {
      if (trace.elements()[i] == link) {
        return true;
      }
    }
    return false;
  }
}
