package io.fabrichealth.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged service as a process of its own, as a user runs it. */
public final class ServiceProcess implements AutoCloseable {
  private static final Path JAR = Path.of("target", "fabric-health.jar");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final Process process;
  private final String base;
  private final int port;
  private final int managementPort;
  private final Path log;

  private ServiceProcess(Process process, String address, int port, int management, Path log) {
    this.process = process;
    this.port = port;
    managementPort = management;
    base = "http://" + address + ":" + port;
    this.log = log;
  }

  /**
   * Starts the jar.
   *
   * @param prefix words before the command, for example {@code ip netns exec NAME}
   * @param address where it listens
   * @param directory its working directory; its log goes there too
   */
  public static ServiceProcess start(
      List<String> prefix, String address, Path directory, String... arguments) {
    int port = freePort();
    int management = freePort();
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-jar"));
    command.add(JAR.toAbsolutePath().toString());
    command.add("serve");
    command.add("--server.address=" + address);
    command.add("--server.port=" + port);
    command.add("--management.server.port=" + management);
    command.addAll(List.of(arguments));
    try {
      Path log = Files.createTempFile(directory, "service-", ".log");
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new ServiceProcess(process, address, port, management, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static boolean isPackaged() {
    return Files.exists(JAR);
  }

  public int port() {
    return port;
  }

  public int managementPort() {
    return managementPort;
  }

  /** The answer to a GET as JSON. */
  public JsonNode get(String path) {
    return JSON.readTree(getText(path));
  }

  public String getText(String path) {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(base + path))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Asks until the answer is as wanted.
   *
   * @return the answer that was as wanted
   * @throws AssertionError with the last answer and the log's end, where it never is
   */
  public JsonNode await(String path, Duration within, Predicate<JsonNode> wanted) {
    Instant end = Instant.now().plus(within);
    JsonNode last = null;
    RuntimeException failure = null;
    while (Instant.now().isBefore(end)) {
      if (!process.isAlive()) {
        throw new AssertionError("the service ended\n" + logTail());
      }
      try {
        last = get(path);
        failure = null;
        if (wanted.test(last)) {
          return last;
        }
      } catch (RuntimeException e) {
        failure = e;
      }
      sleep(Duration.ofMillis(500));
    }
    throw new AssertionError(
        "not within " + within + ": " + path + "\n" + last + "\n" + logTail(), failure);
  }

  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Everything that it wrote so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String logTail() {
    String all = log();
    return all.substring(Math.max(0, all.length() - 6_000));
  }

  /** Ends it as the kernel does when it has to: no shutdown hook runs. */
  public void kill() {
    process.destroyForcibly();
    join(10);
  }

  @Override
  public void close() {
    process.destroy();
    if (!join(20)) {
      kill();
    }
  }

  private boolean join(int seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
