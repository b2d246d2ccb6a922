package io.fabrichealth.collective.log;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The facts of a job's log.
 *
 * @param source where it was read from, for people
 * @param lines that were read
 * @param worldSize the number of ranks as the log tells it, 0 where it does not
 * @param ranks that the log names, by their global numbers
 * @param hosts of ranks, as far as told
 * @param errors the first of each rank
 * @param fingerprints the first of each rank and number
 * @param leftOut facts beyond what is kept
 */
public record JobLog(
    String source,
    long lines,
    int worldSize,
    TreeSet<Integer> ranks,
    Map<Integer, String> hosts,
    List<GroupReport> groups,
    List<RankError> errors,
    List<BarrierReport> barriers,
    List<Fingerprint> fingerprints,
    List<Accusation> accusations,
    List<ProcessExit> exits,
    NcclLog nccl,
    List<NcclTest> tests,
    List<RasStatus> ras,
    long leftOut) {

  /**
   * One rank says that another calls something else: they are of one group.
   *
   * @param accuser in the group, as accused
   * @param accuserRank its global number, -1 where not told
   */
  public record Accusation(int accuser, int accused, int accuserRank) {}

  public JobLog {
    ranks = new TreeSet<>(ranks);
    hosts = Map.copyOf(hosts);
    groups = List.copyOf(groups);
    errors = List.copyOf(errors);
    barriers = List.copyOf(barriers);
    fingerprints = List.copyOf(fingerprints);
    accusations = List.copyOf(accusations);
    exits = List.copyOf(exits);
    tests = List.copyOf(tests);
    ras = List.copyOf(ras);
  }

  /** What holds nothing but results of nccl-tests, or answers of RAS. */
  public static JobLog of(String source, List<NcclTest> tests, List<RasStatus> ras) {
    return new JobLog(
        source,
        0,
        0,
        new TreeSet<>(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new NcclLog("", List.of(), List.of(), List.of()),
        tests,
        ras,
        0);
  }

  /** Whether it says anything of what went wrong. */
  public boolean isSilent() {
    return groups.isEmpty()
        && errors.isEmpty()
        && barriers.isEmpty()
        && fingerprints.isEmpty()
        && exits.isEmpty()
        && nccl.isEmpty()
        && tests.isEmpty()
        && ras.isEmpty();
  }
}
