package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tools on a subnet of one leaf with one host: {@code leaf1} (LID 12) has ports 1 to 4, of
 * which 1 goes to {@code n1} (LID 44).
 */
final class FakeTools implements ToolRunner {
  static final String DISCOVERED =
      """
      vendid=0x2c9
      sysimgguid=0xb8599f0300aa0001
      switchguid=0xb8599f0300aa0001(b8599f0300aa0001)
      Switch\t4 "S-b8599f0300aa0001"\t\t# "MF0;leaf1:MQM9700/U1" enhanced port 0 lid 12 lmc 0
      [1]\t"H-506b4b0300010001"[1](506b4b0300010002) \t\t# "n1 mlx5_0" lid 44 4xNDR

      vendid=0x2c9
      sysimgguid=0x506b4b0300010001
      caguid=0x506b4b0300010001
      Ca\t1 "H-506b4b0300010001"\t\t# "n1 mlx5_0"
      [1](506b4b0300010002) \t"S-b8599f0300aa0001"[1]\t\t# lid 44 lmc 0 "MF0;leaf1:MQM9700/U1" lid 12 4xNDR
      """;
  static final String STATES =
      """
      0x506b4b0300010002 "n1 mlx5_0"     44    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>  0xb8599f0300aa0001     12    1[  ] "leaf1" ( )
      0xb8599f0300aa0001 "leaf1"     12    1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>  0x506b4b0300010002     44    1[  ] "n1 mlx5_0" ( )
      0xb8599f0300aa0001 "leaf1"     12    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
      0xb8599f0300aa0001 "leaf1"     12    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
      0xb8599f0300aa0001 "leaf1"     12    4[  ] ==(                Down/ Polling)==>             [  ] "" ( )
      """;

  String discovered = DISCOVERED;
  String states = STATES;
  boolean hasExtendedErrors = true;
  boolean hasExtended = true;
  int failingPort = -1;
  final Map<Integer, FailureCode> silentLids = new HashMap<>();
  final Map<String, End> failing = new HashMap<>();

  /** By LID and port, then by counter; zero where nothing stands. */
  final Map<String, Map<String, Long>> counters = new HashMap<>();

  final List<String> runs = Collections.synchronizedList(new ArrayList<>());

  void set(int lid, int port, String counter, long value) {
    counters.computeIfAbsent(lid + "/" + port, unset -> new TreeMap<>()).put(counter, value);
  }

  @Override
  public End run(List<String> words, Duration limit, Output output) throws CollectException {
    runs.add(String.join(" ", words));
    String tool = words.getFirst();
    End failure = failing.get(tool);
    if (failure != null) {
      return failure;
    }
    return switch (tool) {
      case "ibnetdiscover" -> print(discovered, 0, "", output);
      case "iblinkinfo" -> print(states, 0, "", output);
      case "perfquery" -> perfquery(words, output);
      default -> throw new AssertionError("no tool " + tool);
    };
  }

  private End perfquery(List<String> words, Output output) throws CollectException {
    boolean extended = words.contains("-x");
    int lid = Integer.parseInt(words.get(words.indexOf("-l") + 1));
    FailureCode silent = silentLids.get(lid);
    if (silent == FailureCode.TIMEOUT) {
      throw new CollectException(FailureCode.TIMEOUT, "not done within 5000 ms", null);
    }
    if (silent != null) {
      return print("", 255, "perfquery: iberror: failed: classportinfo query", output);
    }
    if (extended && !hasExtended) {
      return print(
          "",
          255,
          "ibwarn: PerfMgt ClassPortInfo CapMask 0x00; No extended counter support indicated"
              + " perfquery: iberror: failed: perfextquery",
          output);
    }
    StringBuilder text = new StringBuilder();
    for (int port : ports(words.getLast())) {
      if (port == failingPort) {
        return print(
            text.toString(),
            255,
            "perfquery: iberror: failed: " + (extended ? "perfextquery" : "perfquery"),
            output);
      }
      text.append(dump(extended, lid, port));
    }
    return print(text.toString(), 0, "", output);
  }

  private static List<Integer> ports(String words) {
    List<Integer> ports = new ArrayList<>();
    for (String word : words.split(",")) {
      String[] range = word.split("-");
      for (int port = Integer.parseInt(range[0]);
          port <= Integer.parseInt(range[range.length - 1]);
          port++) {
        ports.add(port);
      }
    }
    return ports;
  }

  private String dump(boolean extended, int lid, int port) {
    StringBuilder text = new StringBuilder();
    text.append(
        extended
            ? "# Port extended counters: Lid %d port %d (CapMask: 0x5300 CapMask2: 0x0000002)\n"
                .formatted(lid, port)
            : "# Port counters: Lid %d port %d (CapMask: 0x5300)\n".formatted(lid, port));
    Map<String, Long> values = counters.getOrDefault(lid + "/" + port, Map.of());
    for (PmaCounter counter : PmaCounter.values()) {
      boolean isError = !counter.countsTraffic();
      boolean isPrinted = extended ? !isError || hasExtendedErrors : counter.classicEnd() != -1L;
      if (isPrinted) {
        String name = name(counter);
        text.append(name)
            .append(":.....")
            .append(Long.toUnsignedString(values.getOrDefault(name, 0L)))
            .append('\n');
      }
    }
    return text.toString();
  }

  private static String name(PmaCounter counter) {
    return switch (counter) {
      case TRANSMITTED_DATA -> "PortXmitData";
      case RECEIVED_DATA -> "PortRcvData";
      case TRANSMITTED_PACKETS -> "PortXmitPkts";
      case RECEIVED_PACKETS -> "PortRcvPkts";
      case TRANSMITTED_UNICAST -> "PortUnicastXmitPkts";
      case RECEIVED_UNICAST -> "PortUnicastRcvPkts";
      case LINK_DOWNED -> "LinkDownedCounter";
      case SYMBOL_ERRORS -> "SymbolErrorCounter";
      case LINK_RECOVERIES -> "LinkErrorRecoveryCounter";
      case RECEIVE_ERRORS -> "PortRcvErrors";
      case REMOTE_PHYSICAL_ERRORS -> "PortRcvRemotePhysicalErrors";
      case TRANSMIT_DISCARDS -> "PortXmitDiscards";
      case LINK_INTEGRITY_ERRORS -> "LocalLinkIntegrityErrors";
      case BUFFER_OVERRUNS -> "ExcessiveBufferOverrunErrors";
      case TRANSMIT_WAIT -> "PortXmitWait";
    };
  }

  private static End print(String text, int exitCode, String complaint, Output output) {
    try {
      output.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new End(exitCode, complaint);
  }
}
