package io.fabrichealth.collect.torchdebug;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Answers as the worker servers of all ranks of a job do, each below a path of its own. */
public final class FakeJob implements AutoCloseable {
  static final String EMPTY = "{\"comm_lib_version\":\"\",\"version\":\"2.10\"}";

  static final String STACK =
      """
      Current thread 0x00007f6ae4ff96c0 (most recent call first):
        <no Python frame>

      Thread 0x00007f6ae5ff96c0 (most recent call first):
        File "/opt/python/threading.py", line 324 in wait

      Thread 0x00007f6ba6e5bb80 (most recent call first):
        File "/job/data.py", line 41 in next_batch
        File "/job/train.py", line 7 in <module>
      """;

  final List<String> calls = new CopyOnWriteArrayList<>();

  /** The recorder of a rank; null where it answers with HTTP status 500. */
  public volatile IntFunction<String> dumps = rank -> EMPTY;

  volatile IntFunction<String> stacks = rank -> STACK;

  private final HttpServer server;

  public FakeJob() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int rank = Integer.parseInt(path.split("/")[1]);
      String handler = path.substring(path.lastIndexOf('/') + 1);
      String query = exchange.getRequestURI().getQuery();
      calls.add(rank + " " + handler + (query == null ? "" : "?" + query));
      exchange.getRequestBody().readAllBytes();
      String body =
          switch (handler) {
            case "fr_trace_json" -> "backend=gloo".equals(query) ? dumps.apply(rank) : EMPTY;
            case "dump_traceback" -> stacks.apply(rank);
            default -> null;
          };
      boolean isKnown = body != null && exchange.getRequestMethod().equals("POST");
      byte[] bytes = (isKnown ? body : "Handler not found").getBytes(UTF_8);
      exchange.sendResponseHeaders(isKnown ? 200 : body == null ? 500 : 404, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  public URI url(int rank) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + rank);
  }

  /**
   * What gloo records of a loop of all_reduces over all ranks, one in 100 ms, which all ranks enter
   * at once.
   *
   * @param first number of the oldest entry in the ring
   * @param last number of the newest
   * @param start of the program, in seconds since 1970
   */
  public static String loop(int world, int first, int last, long start) {
    return loop(world, first, last, start, 0);
  }

  /**
   * The same of a rank that enters each later than the others.
   *
   * @param late in milliseconds, below 100
   */
  static String loop(int world, int first, int last, long start, int late) {
    String ranks =
        IntStream.range(0, world)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", ", "[", "]"));
    String entries =
        IntStream.rangeClosed(first, last)
            .mapToObj(
                number ->
                    """
                    {"collective_seq_id":%d,"input_dtypes":["Float"],"input_sizes":[[1000]],
                    "is_p2p":false,"op_id":%d,"output_dtypes":["Float"],"output_sizes":[[1000]],
                    "p2p_seq_id":0,"pg_id":0,"process_group":["0","default_pg"],
                    "profiling_name":"gloo:all_reduce","record_id":%d,"retired":true,
                    "state":"scheduled","time_created_ns":%d,"time_discovered_completed_ns":0,
                    "time_discovered_started_ns":0,"timeout_ms":1800000}\
                    """
                        .formatted(
                            number,
                            number,
                            number - 1,
                            start * 1_000_000_000 + (number * 100L + late) * 1_000_000))
            .collect(Collectors.joining(","));
    return """
    {"comm_lib_version":"","entries":[%s],"nccl_comm_state":{},
    "pg_config":{"0":{"desc":"default_pg","name":"0","ranks":"%s"}},
    "pg_status":{"0":{"last_completed_collective":"-1","last_enqueued_collective":"-1",
    "last_started_collective":"-1"}},"version":"2.10"}\
    """
        .formatted(entries, ranks);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
