package io.fabrichealth.collective.log;

import io.fabrichealth.collective.log.NcclTrouble.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads NCCL's debug log, versions 2.8 to 2.31: who runs where, over what, and what adapters did.
 */
final class NcclMessages {
  private static final int MOST = 1 << 15;
  private static final int MOST_IN_RINGS = 1 << 22;
  private static final Pattern HEAD =
      Pattern.compile(
          "(?<host>[A-Za-z0-9_][\\w.-]{0,254}):(?<pid>\\d{1,9}):\\d{1,10} \\[(?<dev>-?\\d{1,4})\\]"
              + " (?:\\S{1,200} ){0,3}NCCL (?:INFO|WARN) (?<text>.*)");
  private static final Pattern VERSION = Pattern.compile("NCCL version (\\d[\\w.+]{1,40})");
  private static final Pattern COMPLETION =
      Pattern.compile(
          "Got completion (?:from peer (?<peer>[^\\s<]{1,80})(?:<\\d{1,5}>)? )?with "
              + "(?:status|error)[= ](?:\\w{1,60}\\()?(?<status>\\d{1,3})\\)?.*");
  private static final Pattern LOCAL = Pattern.compile("localGid\\s{1,3}([0-9a-fA-F:.]{2,46})");
  private static final Pattern REMOTE = Pattern.compile("remoteGids?\\s{0,3}([0-9a-fA-F:.]{2,46})");
  private static final Pattern HCA = Pattern.compile(" hca (\\S{1,64})");
  private static final Pattern EVENT =
      Pattern.compile(
          "NET/IB ?: (?<adapter>[\\w.+-]{1,64}):(?<port>\\d{1,3}) (?<event>(?:Got (?:non-fatal"
              + " )?async event|async fatal event|GID table changed).{0,120})");
  private static final Pattern FAILED =
      Pattern.compile(
          "Device (?<device>\\d{1,3}) marked as failed(?:\\. Initiating recovery\\?"
              + " (?<again>Yes|No))?");
  private static final Pattern RECOVERED =
      Pattern.compile(
          "(?:Port recovery succeeded for devIndex=\\d{1,3}|Device \\d{1,3} has been recovered"
              + "|Marking device \\d{1,3} as recovered)");
  private static final Pattern GIVEN_UP =
      Pattern.compile("Port recovery failed|[Rr]ecovery attempts? (?:exhausted|exceeded)");
  private static final Pattern RING =
      Pattern.compile("Channel (?<channel>\\d{1,4})/\\d{1,4} :(?<order>[\\d\\s]+)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,7}");

  private final Map<String, NcclProcess> processes = new LinkedHashMap<>();
  private final Map<List<Object>, Told> troubles = new LinkedHashMap<>();
  private final Map<NcclProcess, Map<Integer, List<Integer>>> rings = new HashMap<>();
  private String version = "";
  private int inRings;
  private long leftOut;

  private static final class Told {
    private final NcclTrouble first;
    private final NcclProcess process;
    private long count;

    Told(NcclTrouble first, NcclProcess process) {
      this.first = first;
      this.process = process;
    }
  }

  void line(String text, Speech speech) {
    Matcher head = HEAD.matcher(text);
    if (!head.region(begin(text), text.length()).lookingAt()) {
      Matcher named = VERSION.matcher(text);
      if (named.find()) {
        version = named.group(1);
      }
      return;
    }
    NcclProcess process = process(head, speech);
    String said = head.group("text");
    if (process == null) {
      leftOut++;
      return;
    }
    if (version.isEmpty() && said.startsWith("NCCL version ")) {
      version = said.substring("NCCL version ".length()).strip();
    }
    process.info(said);
    if (said.startsWith("Channel ")) {
      ring(process, said);
    } else if (said.contains("NET/IB") || said.contains("Device ") || said.contains("ecover")) {
      trouble(process, said, speech);
    }
  }

  /**
   * Where the head of the line begins: its first word, or the one before the device in brackets.
   */
  private static int begin(String text) {
    int level = Math.max(text.indexOf("NCCL INFO "), text.indexOf("NCCL WARN "));
    int device = text.lastIndexOf(" [", level);
    return level < 0 || device < 0 ? 0 : text.lastIndexOf(' ', device - 1) + 1;
  }

  private @Nullable NcclProcess process(Matcher head, Speech speech) {
    String key = head.group("host") + ":" + head.group("pid") + ":" + head.group("dev");
    NcclProcess known = processes.get(key);
    if (known == null && processes.size() < MOST) {
      known =
          new NcclProcess(
              head.group("host"),
              Integer.parseInt(head.group("pid")),
              Integer.parseInt(head.group("dev")),
              speech.speaker(),
              speech.line());
      processes.put(key, known);
    }
    return known;
  }

  private void trouble(NcclProcess process, String said, Speech speech) {
    Matcher completion = COMPLETION.matcher(said);
    Matcher event = EVENT.matcher(said);
    if (completion.find()) {
      String adapter = first(HCA, said);
      process.lastAdapter = adapter.isEmpty() ? process.lastAdapter : adapter;
      String peer = completion.group("peer") == null ? "" : completion.group("peer");
      int status = Integer.parseInt(completion.group("status"));
      add(
          process,
          new NcclTrouble(
              Kind.COMPLETION,
              0,
              process.host,
              adapter,
              peer,
              first(LOCAL, said),
              first(REMOTE, said),
              status,
              ErrorText.shortened(completion.group()),
              1,
              speech.time(),
              speech.line()));
    } else if (event.find()) {
      String adapter = event.group("adapter") + "/" + event.group("port");
      process.lastAdapter = adapter;
      String told = event.group("event");
      Kind kind =
          told.contains("port error")
              ? Kind.PORT_DOWN
              : told.contains("port active") ? Kind.PORT_UP : Kind.EVENT;
      add(process, simple(kind, process, adapter, told, speech));
    } else {
      failover(process, said, speech);
    }
  }

  private void failover(NcclProcess process, String said, Speech speech) {
    Matcher failed = FAILED.matcher(said);
    Matcher recovered = RECOVERED.matcher(said);
    Matcher given = GIVEN_UP.matcher(said);
    if (failed.find()) {
      add(process, simple(Kind.FAILED_OVER, process, process.lastAdapter, failed.group(), speech));
      if ("No".equals(failed.group("again"))) {
        add(process, simple(Kind.GIVEN_UP, process, process.lastAdapter, failed.group(), speech));
      }
    } else if (recovered.find()) {
      add(process, simple(Kind.RECOVERED, process, process.lastAdapter, recovered.group(), speech));
    } else if (given.find()) {
      add(process, simple(Kind.GIVEN_UP, process, process.lastAdapter, given.group(), speech));
    }
  }

  private static NcclTrouble simple(
      Kind kind, NcclProcess process, String adapter, String text, Speech speech) {
    return new NcclTrouble(
        kind,
        0,
        process.host,
        adapter,
        "",
        "",
        "",
        -1,
        ErrorText.shortened(text),
        1,
        speech.time(),
        speech.line());
  }

  private void add(NcclProcess process, NcclTrouble trouble) {
    List<Object> key =
        List.of(process, trouble.kind(), trouble.adapter(), trouble.peer(), trouble.status());
    Told known = troubles.get(key);
    if (known == null) {
      if (troubles.size() >= MOST) {
        leftOut++;
        return;
      }
      known = new Told(trouble, process);
      troubles.put(key, known);
    }
    known.count++;
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  private void ring(NcclProcess process, String said) {
    if (said.contains("->")) {
      return;
    }
    Matcher ring = RING.matcher(said);
    if (ring.matches()) {
      List<Integer> order =
          rings
              .computeIfAbsent(process, of -> new TreeMap<>())
              .computeIfAbsent(
                  Integer.parseInt(ring.group("channel")), channel -> new ArrayList<>());
      Matcher number = NUMBER.matcher(ring.group("order"));
      while (number.find() && inRings++ < MOST_IN_RINGS) {
        order.add(Integer.parseInt(number.group()));
      }
    }
  }

  NcclLog finish() {
    List<NcclRank> ranks = new ArrayList<>();
    NcclProcess largest = null;
    for (NcclProcess process : processes.values()) {
      if (!process.isBare()) {
        ranks.add(process.told());
      }
      if (rings.containsKey(process) && (largest == null || process.size() > largest.size())) {
        largest = process;
      }
    }
    ranks.sort(Comparator.comparingInt(NcclRank::rank));
    List<NcclTrouble> told = new ArrayList<>();
    for (Told trouble : troubles.values()) {
      NcclTrouble first = trouble.first;
      told.add(
          new NcclTrouble(
              first.kind(),
              trouble.process.rank(),
              first.host(),
              first.adapter(),
              first.peer(),
              first.localGid(),
              first.remoteGid(),
              first.status(),
              first.text(),
              trouble.count,
              first.time(),
              first.line()));
    }
    List<NcclRing> orders = new ArrayList<>();
    if (largest != null) {
      int size = largest.size();
      rings
          .getOrDefault(largest, Map.of())
          .forEach(
              (channel, order) -> {
                // a process in several communicators tells the rings of each; the first is kept
                boolean isWhole = size > 0 && order.size() >= size;
                orders.add(new NcclRing(channel, isWhole ? order.subList(0, size) : order));
              });
    }
    return new NcclLog(version, ranks, told, orders);
  }

  long leftOut() {
    return leftOut;
  }
}
