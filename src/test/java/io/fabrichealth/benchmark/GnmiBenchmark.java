package io.fabrichealth.benchmark;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import io.fabrichealth.collect.gnmi.GnmiDecoding;
import io.fabrichealth.signal.DeviceSignals;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What the samples of a switch of 64 ports cost from their bytes to batch and growth, in the forms
 * in which devices send them. docs/reference/benchmarks.md has the command and the figures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class GnmiBenchmark {
  private static final int PORTS = 64;
  private static final int LEAVES = 48;
  private static final int UPDATES = PORTS * LEAVES;
  private static final int ROUNDS = 8;
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /**
   * {@code prefix}: a notification a port, its path in the prefix; {@code paths}: each update with
   * its whole path; {@code json}: a document a table, as SONiC has them.
   */
  @Param({"prefix", "paths", "json"})
  private String form;

  private final List<List<byte[]>> rounds = new ArrayList<>();
  private GnmiDecoding decoding;
  private DeviceSignals signals;
  private int pass;
  private int passesBefore;
  private long cpuNanosBefore;

  public static void main(String[] arguments) throws RunnerException {
    new Runner(
            new OptionsBuilder()
                .include(GnmiBenchmark.class.getSimpleName())
                .addProfiler("gc")
                .build())
        .run();
  }

  @Setup
  public void prepare() {
    decoding = new GnmiDecoding(form.equals("json") ? "sonic" : "openconfig");
    signals = new DeviceSignals("leaf1", "gnmi", decoding.dictionary());
    Random random = new Random(1);
    long[] counters = new long[UPDATES];
    for (int round = 0; round < ROUNDS; round++) {
      for (int counter = 0; counter < UPDATES; counter++) {
        counters[counter] += random.nextLong(1L << 36);
      }
      rounds.add(form.equals("json") ? documents(counters) : notifications(counters));
    }
    System.out.printf(
        "updates=%d bytes=%d%n",
        UPDATES, rounds.getFirst().stream().mapToInt(message -> message.length).sum());
  }

  @Setup(Level.Iteration)
  public void begin() {
    passesBefore = pass;
    cpuNanosBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** By the thread's own time, so that a busy machine does not change the figure. */
  @TearDown(Level.Iteration)
  public void end() {
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuNanosBefore;
    double updates = (double) UPDATES * (pass - passesBefore);
    System.out.printf("updates_per_cpu_second=%.2e ", updates / nanos * 1e9);
  }

  private List<byte[]> notifications(long[] counters) {
    List<byte[]> messages = new ArrayList<>();
    for (int port = 0; port < PORTS; port++) {
      String name = "Ethernet" + (port + 1) + "/1";
      Path counts = path(name, "state", "counters");
      Path blocks = path(name, "ethernet", "state", "counters");
      Notification.Builder first = Notification.newBuilder();
      Notification.Builder queues = Notification.newBuilder();
      int at = port * LEAVES;
      for (String leaf :
          List.of(
              "in-octets",
              "out-octets",
              "in-pkts",
              "out-pkts",
              "in-unicast-pkts",
              "out-unicast-pkts",
              "in-errors",
              "out-errors",
              "in-discards",
              "out-discards",
              "in-fcs-errors",
              "link-transitions",
              "in-multicast-pkts",
              "in-broadcast-pkts")) {
        add(first, counts, leaf, counters[at++]);
      }
      Notification.Builder fec = Notification.newBuilder();
      add(fec, blocks, "fec-corrected-blocks", counters[at++]);
      add(fec, blocks, "fec-uncorrectable-blocks", counters[at++]);
      for (int queue = 0; queue < 8; queue++) {
        Path prefix =
            path(
                List.of("qos", "interfaces"),
                elem("interface", "interface-id", name),
                elem("output"),
                elem("queues"),
                elem("queue", "name", Integer.toString(queue)),
                elem("state"));
        Notification.Builder each = form.equals("prefix") ? Notification.newBuilder() : queues;
        for (String leaf :
            List.of("ecn-marked-pkts", "transmit-pkts", "transmit-octets", "dropped-pkts")) {
          add(each, prefix, leaf, counters[at++]);
        }
        if (form.equals("prefix")) {
          messages.add(message(each, prefix));
        }
      }
      messages.add(message(first, counts));
      messages.add(message(fec, blocks));
      if (!form.equals("prefix")) {
        messages.add(message(queues, counts));
      }
    }
    return messages;
  }

  private void add(Notification.Builder to, Path prefix, String leaf, long value) {
    Path.Builder path = form.equals("prefix") ? Path.newBuilder() : prefix.toBuilder();
    to.addUpdate(
        Update.newBuilder()
            .setPath(path.addElem(elem(leaf)))
            .setVal(TypedValue.newBuilder().setUintVal(value)));
  }

  private byte[] message(Notification.Builder notification, Path prefix) {
    if (form.equals("prefix")) {
      notification.setPrefix(prefix);
    }
    notification.setTimestamp(START.getEpochSecond() * 1_000_000_000L);
    return SubscribeResponse.newBuilder().setUpdate(notification).build().toByteArray();
  }

  private static Path path(String port, String... below) {
    List<PathElem> elems = new ArrayList<>();
    elems.add(elem("interface", "name", port));
    for (String name : below) {
      elems.add(elem(name));
    }
    return path(List.of("interfaces"), elems.toArray(PathElem[]::new));
  }

  private static Path path(List<String> above, PathElem... below) {
    Path.Builder path = Path.newBuilder();
    above.forEach(name -> path.addElem(elem(name)));
    return path.addAllElem(List.of(below)).build();
  }

  private static PathElem elem(String name) {
    return PathElem.newBuilder().setName(name).build();
  }

  private static PathElem elem(String name, String key, String value) {
    return PathElem.newBuilder().setName(name).putKey(key, value).build();
  }

  private static List<byte[]> documents(long[] counters) {
    StringBuilder json = new StringBuilder("{");
    for (int port = 0; port < PORTS; port++) {
      json.append(port == 0 ? "" : ",").append("\"Ethernet").append(port * 8).append("\":{");
      int at = port * LEAVES;
      for (int priority = 0; priority < 8; priority++) {
        field(json, priority > 0, "SAI_PORT_STAT_PFC_" + priority + "_RX_PKTS", counters[at++]);
        field(json, true, "SAI_PORT_STAT_PFC_" + priority + "_TX_PKTS", counters[at++]);
      }
      for (int bin = 0; bin < 17; bin++) {
        String name = "SAI_PORT_STAT_IF_IN_FEC_CODEWORD_ERRORS_S" + bin;
        field(json, true, name, counters[at++]);
      }
      for (String leaf :
          List.of(
              "IN_OCTETS",
              "OUT_OCTETS",
              "IN_UCAST_PKTS",
              "OUT_UCAST_PKTS",
              "IN_NON_UCAST_PKTS",
              "OUT_NON_UCAST_PKTS",
              "IN_ERRORS",
              "OUT_ERRORS",
              "IN_DISCARDS",
              "OUT_DISCARDS",
              "IN_FEC_CORRECTABLE_FRAMES",
              "IN_FEC_NOT_CORRECTABLE_FRAMES",
              "IN_FEC_SYMBOL_ERRORS",
              "IN_FEC_CORRECTED_BITS",
              "IN_UNKNOWN_PROTOS")) {
        field(json, true, "SAI_PORT_STAT_IF_" + leaf, counters[at++]);
      }
      json.append('}');
    }
    Path path = Path.newBuilder().addElem(elem("COUNTERS")).addElem(elem("Ethernet*")).build();
    Notification.Builder notification =
        Notification.newBuilder()
            .setTimestamp(START.getEpochSecond() * 1_000_000_000L)
            .addUpdate(
                Update.newBuilder()
                    .setPath(path)
                    .setVal(
                        TypedValue.newBuilder()
                            .setJsonIetfVal(ByteString.copyFromUtf8(json.append('}').toString()))));
    return List.of(SubscribeResponse.newBuilder().setUpdate(notification).build().toByteArray());
  }

  private static void field(StringBuilder json, boolean comma, String name, long value) {
    json.append(comma ? ",\"" : "\"").append(name).append("\":\"").append(value).append('"');
  }

  @Benchmark
  @OperationsPerInvocation(UPDATES)
  public DeviceSignals.Outcome decodeAndDelta() {
    Instant at = START.plusSeconds(10L * pass);
    for (byte[] message : rounds.get(pass % ROUNDS)) {
      decoding.take(message, at);
    }
    pass++;
    return signals.apply(decoding.pass(at).batch(), null);
  }
}
