package io.fabrichealth.collective.log;

import java.util.List;
import java.util.Map;

/**
 * One answer of NCCL's RAS ({@code STATUS} as JSON).
 *
 * @param source where it was read from; the names' order is the order of the answers
 * @param timeouts that RAS itself had while it asked around
 */
public record RasStatus(
    String source, String version, long timeouts, List<Communicator> communicators) {

  /**
   * @param hash names it in all answers of the job
   * @param size the number of its ranks
   * @param ranks that answered
   * @param missing that did not
   */
  public record Communicator(String hash, int size, List<Member> ranks, List<Member> missing) {
    public Communicator {
      ranks = List.copyOf(ranks);
      missing = List.copyOf(missing);
    }
  }

  /**
   * @param rank in the communicator
   * @param counts operations that it has issued, by name
   * @param isDead as RAS considers it
   */
  public record Member(
      int rank,
      String host,
      int process,
      int cudaDevice,
      Map<String, Long> counts,
      boolean isUnresponsive,
      boolean isDead) {
    public Member {
      counts = Map.copyOf(counts);
    }

    public long operations() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What it is called in all communicators. */
    public String place() {
      return host + ":" + process + ":" + cudaDevice;
    }
  }

  public RasStatus {
    communicators = List.copyOf(communicators);
  }
}
