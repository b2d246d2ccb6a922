package io.fabrichealth.collective.log;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/**
 * What ProcessGroupNCCL's watchdog prints, in the words of PyTorch 2.0 to 2.15: the rank with its
 * group or without, the number that timed out, the last enqueued and the last completed.
 */
final class WatchdogMessages {
  private static final int MOST = 1 << 18;
  private static final String HEAD =
      "\\[(?:Rank (?<bare>\\d{1,7})|PG (?:ID \\d{1,9} PG GUID )?(?<group>[^\\s()\\]]{1,200})"
          + "(?: \\((?<desc>[^)]{0,200})\\))? Rank (?<rank>\\d{1,7}))\\] ";
  private static final String COUNTS =
      ",? (?:PG status: )?[Ll]ast enqueued(?: NCCL)? work: (?<%s>-?\\d{1,18}),"
          + " last completed(?: NCCL)? work: (?<%s>-?\\d{1,18})";
  private static final String TERMINATED =
      "(?:(?:NCCL|Process group) watchdog thread terminated with exception: "
          + "(?:\\[(?:Rank \\d{1,7}|PG [^\\]]{1,400})\\] )?)?";
  private static final String TIMEOUT =
      "Watchdog caught collective operation timeout: WorkNCCL\\((?:SeqNum=(?<seq>\\d{1,18}),"
          + " )?OpType=(?<op>\\w{1,60})(?:, NumelIn=(?<in>\\d{1,18}), NumelOut=\\d{1,18})?,"
          + " Timeout\\(ms\\)=\\d{1,18}\\) ran for (?<ran>\\d{1,18}) milliseconds";
  private static final String AT_WORK =
      "(?:Exception \\(either an error or timeout\\) detected by watchdog at work"
          + "|Timeout at NCCL work|failure detected by watchdog at work sequence id)"
          + ": (?<work>-?\\d{1,18})"
          + COUNTS.formatted("enqueued", "completed");
  private static final String DUMP_SIGNAL =
      "Received a dump signal due to a collective timeout from (?:this local rank|rank \\d{1,7})"
          + " and we will try our best to dump the debug info\\."
          + COUNTS.formatted("enqueuedhere", "completedhere");
  private static final String STUCK =
      "(?<stuck>ProcessGroupNCCL's watchdog got stuck for (?<seconds>\\d{1,12}) seconds)";
  private static final String FORM =
      HEAD + "(?:" + TERMINATED + TIMEOUT + "|" + AT_WORK + "|" + DUMP_SIGNAL + "|" + STUCK + ")";

  private final Map<Key, Told> told = new LinkedHashMap<>();
  private long leftOut;

  /** A rank as it calls itself: the group is empty where the line does not tell it. */
  private record Key(Speaker speaker, String group, int groupRank) {}

  private static final class Told {
    private String description = "";
    private long awaited = GroupReport.ABSENT;
    private long lastEnqueued = GroupReport.ABSENT;
    private long lastCompleted = GroupReport.ABSENT;
    private String operation = "";
    private long elements = -1;
    private long waited = -1;
    private boolean isStuck;
    private final Speech first;

    Told(Speech first) {
      this.first = first;
    }
  }

  List<Message> messages() {
    return List.of(
        Message.of("[Rank ", FORM, this::found),
        Message.of("[PG ", FORM, this::found),
        Message.of("Watchdog caught", "(?<=cpp:\\d{1,6}\\]\\x20{0,2})" + TIMEOUT, this::bare));
  }

  private void found(Speech speech, MatchResult match) {
    String bare = match.group("bare");
    int groupRank = Integer.parseInt(bare == null ? match.group("rank") : bare);
    String group = bare == null ? match.group("group") : "";
    Told known = told(new Key(speech.speaker(), group, groupRank), speech);
    if (known == null) {
      return;
    }
    if (match.group("desc") != null) {
      known.description = match.group("desc");
    }
    if (match.group("op") != null) {
      timeout(known, match);
    } else if (match.group("work") != null) {
      known.awaited = number(match.group("work"));
      known.lastEnqueued = number(match.group("enqueued"));
      known.lastCompleted = number(match.group("completed"));
    } else if (match.group("enqueuedhere") != null) {
      if (known.lastEnqueued == GroupReport.ABSENT) {
        known.lastEnqueued = number(match.group("enqueuedhere"));
        known.lastCompleted = number(match.group("completedhere"));
      }
    } else {
      known.isStuck = true;
      known.waited = 1000 * number(match.group("seconds"));
    }
  }

  /** A line that names no rank but the one before it. */
  private void bare(Speech speech, MatchResult match) {
    Told known = told(new Key(speech.speaker(), "", Speaker.UNKNOWN), speech);
    if (known != null) {
      timeout(known, match);
    }
  }

  private @Nullable Told told(Key key, Speech speech) {
    Told known = told.get(key);
    if (known == null && told.size() >= MOST) {
      leftOut++;
    } else if (known == null) {
      known = new Told(speech);
      told.put(key, known);
    }
    return known;
  }

  private static void timeout(Told known, MatchResult match) {
    long sequence = match.group("seq") == null ? -1 : number(match.group("seq"));
    if (known.awaited == GroupReport.ABSENT || known.awaited == sequence) {
      known.awaited = sequence;
      known.operation = match.group("op");
      known.elements = match.group("in") == null ? -1 : number(match.group("in"));
      known.waited = number(match.group("ran"));
    }
  }

  private static long number(String digits) {
    return Long.parseLong(digits);
  }

  /**
   * All that was told. A timeout without its group belongs to the report with the same number by
   * the same rank, which comes in the line after it.
   */
  List<GroupReport> reports() {
    Set<Key> joined = new HashSet<>();
    told.forEach(
        (key, status) -> {
          if (!key.group().isEmpty()) {
            join(new Key(key.speaker(), "", key.groupRank()), status, joined);
            join(new Key(key.speaker(), "", Speaker.UNKNOWN), status, joined);
          }
        });
    List<GroupReport> reports = new ArrayList<>();
    told.forEach(
        (key, value) -> {
          if (!joined.contains(key)) {
            reports.add(report(key, value));
          }
        });
    return reports;
  }

  private void join(Key bare, Told status, Set<Key> joined) {
    Told timeout = told.get(bare);
    if (timeout != null
        && status.awaited != GroupReport.ABSENT
        && (status.awaited == timeout.awaited || timeout.awaited < 0)
        && joined.add(bare)) {
      status.operation = timeout.operation;
      status.elements = timeout.elements;
      status.waited = timeout.waited;
    }
  }

  private static GroupReport report(Key key, Told of) {
    int rank = key.speaker().rank();
    boolean isWorld = key.group().isEmpty() || of.description.equals("default_pg");
    return new GroupReport(
        rank == Speaker.UNKNOWN && isWorld ? key.groupRank() : rank,
        key.groupRank(),
        key.group(),
        of.description,
        of.awaited,
        of.lastEnqueued,
        of.lastCompleted,
        of.operation,
        of.elements,
        of.waited,
        of.isStuck,
        of.first.time(),
        of.first.clock(),
        of.first.line());
  }

  long leftOut() {
    return leftOut;
  }
}
