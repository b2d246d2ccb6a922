package io.fabrichealth.collective.log;

import io.fabrichealth.collective.log.JobLog.Accusation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What ranks print that compare themselves with others: {@code TORCH_DISTRIBUTED_DEBUG=DETAIL}'s
 * fingerprints, and gloo's monitored barrier.
 */
final class MismatchMessages {
  private static final int MOST = 1 << 17;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");
  private static final String RUNNING =
      "Rank (?<rank>\\d{1,7}) is running collective:"
          + " CollectiveFingerPrint\\((?:SequenceNumber=(?<seq>\\d{1,18}),"
          + " )?OpType=(?<op>\\w{1,60})(?:, TensorShape=\\[(?<shape>[\\d,\\s]{0,400})\\](?:,"
          + " TensorDtypes=(?<dtype>[^,)\\s]{0,60}))?)?";
  private static final String BARRIER =
      "\\[Rank (?<by>\\d{1,7})\\]: Ranks? (?<absent>\\d[\\d, ]{0,100000}) failed to pass"
          + " monitoredBarrier(?: in (?<ms>\\d{1,18}) ms)?";

  private final Map<List<Long>, Fingerprint> fingerprints = new LinkedHashMap<>();
  private final Set<Accused> accusations = new LinkedHashSet<>();
  private final Map<Integer, BarrierReport> barriers = new LinkedHashMap<>();
  private long leftOut;

  private record Accused(Speaker by, int accuser, int accused) {}

  private int accuser = Speaker.UNKNOWN;

  List<Message> messages() {
    return List.of(
        Message.of("Rank ", RUNNING, this::running), Message.of("[Rank ", BARRIER, this::barrier));
  }

  /** The first of a line accuses, the second is accused. */
  void lineBegins() {
    accuser = Speaker.UNKNOWN;
  }

  private void running(Speech speech, MatchResult match) {
    int rank = Integer.parseInt(match.group("rank"));
    long sequence = match.group("seq") == null ? -1 : Long.parseLong(match.group("seq"));
    if (accuser == Speaker.UNKNOWN) {
      accuser = rank;
    } else if (accusations.size() < MOST) {
      accusations.add(new Accused(speech.speaker(), accuser, rank));
    }
    List<Long> key = List.of((long) rank, sequence);
    if (fingerprints.size() >= MOST) {
      leftOut++;
      return;
    }
    fingerprints.putIfAbsent(
        key,
        new Fingerprint(
            rank,
            sequence,
            match.group("op"),
            match.group("shape") == null ? "" : match.group("shape"),
            match.group("dtype") == null ? "" : match.group("dtype"),
            speech.line()));
  }

  private void barrier(Speech speech, MatchResult match) {
    Set<Integer> absent = new TreeSet<>();
    NUMBER
        .matcher(match.group("absent"))
        .results()
        .forEach(rank -> absent.add(Integer.parseInt(rank.group())));
    int by = Integer.parseInt(match.group("by"));
    long waited = match.group("ms") == null ? -1 : Long.parseLong(match.group("ms"));
    BarrierReport known = barriers.get(by);
    if (known != null) {
      absent.addAll(known.absent());
    } else if (barriers.size() >= MOST) {
      leftOut++;
      return;
    }
    barriers.put(by, new BarrierReport(by, List.copyOf(absent), waited, speech.line()));
  }

  List<Fingerprint> fingerprints() {
    return new ArrayList<>(fingerprints.values());
  }

  List<Accusation> accusations() {
    return accusations.stream()
        .map(told -> new Accusation(told.accuser(), told.accused(), told.by().rank()))
        .toList();
  }

  List<BarrierReport> barriers() {
    return new ArrayList<>(barriers.values());
  }

  long leftOut() {
    return leftOut;
  }
}
