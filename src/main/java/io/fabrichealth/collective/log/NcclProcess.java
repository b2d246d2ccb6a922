package io.fabrichealth.collective.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One GPU of one process, while NCCL's log is read. */
final class NcclProcess {
  private static final int MOST_ADAPTERS = 32;
  private static final Pattern ADAPTER =
      Pattern.compile("(?<name>[\\w.+-]{1,64}):(?<port>\\d{1,3})/(?:IB|RoCE)");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:OOB |Bootstrap ?: Using |NET/Socket : Using"
              + " \\[0\\])[\\w.@-]{1,32}:([0-9a-fA-F.:]{2,46})<\\d");
  private static final Pattern COMMUNICATOR =
      Pattern.compile(
          "comm 0x(?<comm>[0-9a-f]{1,16}) rank (?<rank>\\d{1,7}) n[Rr]anks (?<size>\\d{1,7})"
              + "(?: nNodes (?<nodes>\\d{1,6}))?(?:.{0,60}? cudaDev (?<cuda>\\d{1,4}))?"
              + "(?: nvmlDev (?<nvml>\\d{1,4}))?(?: busId (?<bus>[0-9a-fA-F:.]{1,16}))?");
  private static final Pattern CHANNEL =
      Pattern.compile(
          "Channel \\d{1,4}(?:/\\d{1,4})? : \\d{1,7}\\[\\w{1,16}\\] -> \\d{1,7}\\[\\w{1,16}\\](?:"
              + " \\[(?:send|receive)\\])? via"
              + " NET/(?<net>[^/]{1,60})/(?<nic>\\d{1,4})(?<rest>\\S{0,80})");

  final String host;
  final int pid;
  final int cudaDevice;
  final Speaker speaker;
  final long line;
  String lastAdapter = "";
  private int rank = Speaker.UNKNOWN;
  private int size;
  private int nodes;
  private String bus = "";
  private int gpu = -1;
  private String address = "";
  private String network = "";
  private List<String> adapters = List.of();
  private int overNetwork;
  private int overSocket;
  private int direct;
  private final Map<Integer, Integer> byAdapter = new TreeMap<>();
  private final Set<String> started = new TreeSet<>();
  private boolean hasStarted;

  NcclProcess(String host, int pid, int cudaDevice, Speaker speaker, long line) {
    this.host = host;
    this.pid = pid;
    this.cudaDevice = cudaDevice;
    this.speaker = speaker;
    this.line = line;
  }

  void info(String text) {
    if (address.isEmpty() && text.contains("<")) {
      Matcher own = ADDRESS.matcher(text);
      address = own.find() ? own.group(1) : "";
    }
    if (text.startsWith("NET/IB : Using")) {
      using(text);
    } else if (text.startsWith("Using network ")) {
      network = text.substring("Using network ".length()).strip();
    } else if (text.startsWith("Channel ")) {
      channel(text);
    } else if (text.contains("comm 0x")) {
      communicator(text);
    }
  }

  private void using(String text) {
    List<String> found = new ArrayList<>();
    int end = text.indexOf("; OOB");
    Matcher adapter = ADAPTER.matcher(end < 0 ? text : text.substring(0, end));
    while (adapter.find() && found.size() < MOST_ADAPTERS) {
      found.add(adapter.group("name") + "/" + adapter.group("port"));
    }
    adapters = found;
  }

  private void channel(String text) {
    Matcher channel = CHANNEL.matcher(text);
    if (!channel.lookingAt()) {
      return;
    }
    overNetwork++;
    if (channel.group("net").equals("Socket")) {
      overSocket++;
    } else {
      int index = Integer.parseInt(channel.group("nic"));
      if (index < MOST_ADAPTERS) {
        byAdapter.merge(index, 1, Integer::sum);
      }
      direct += channel.group("rest").contains("GDRDMA") ? 1 : 0;
    }
  }

  private void communicator(String text) {
    Matcher told = COMMUNICATOR.matcher(text);
    if (!told.find()) {
      return;
    }
    if (text.contains("Init START")) {
      hasStarted = true;
      if (started.size() < MOST_ADAPTERS) {
        started.add(told.group("comm"));
      }
    } else if (text.contains("Init COMPLETE")) {
      hasStarted = true;
      started.remove(told.group("comm"));
    }
    int ofSize = Integer.parseInt(told.group("size"));
    if (ofSize > size) {
      size = ofSize;
      rank = Integer.parseInt(told.group("rank"));
      nodes = 0;
    }
    if (ofSize == size && told.group("nodes") != null) {
      nodes = Integer.parseInt(told.group("nodes"));
    }
    if (told.group("nvml") != null) {
      gpu = Integer.parseInt(told.group("nvml"));
    }
    if (told.group("bus") != null) {
      bus = told.group("bus");
    }
  }

  /** The rank in the largest communicator, by its own prefix where there is one. */
  int rank() {
    int told = speaker.rank();
    return told == Speaker.UNKNOWN ? rank : told;
  }

  int size() {
    return size;
  }

  /** Whether it is only a name in an error. */
  boolean isBare() {
    return size == 0 && network.isEmpty() && adapters.isEmpty() && overNetwork == 0;
  }

  NcclRank told() {
    return new NcclRank(
        rank(),
        host,
        pid,
        cudaDevice,
        gpu < 0 ? null : gpu,
        bus,
        address,
        network,
        adapters,
        overNetwork,
        overSocket,
        direct,
        byAdapter,
        nodes,
        hasStarted,
        hasStarted && started.isEmpty(),
        line);
  }
}
