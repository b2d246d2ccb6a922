package io.fabrichealth.collect.infiniband;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.testing.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A subnet simulated by {@code ibsim}, with {@code opensm} as its manager: four leaves, four
 * spines, and two hosts a leaf. The tools of infiniband-diags see it as if it were there.
 */
final class IbsimFabric implements AutoCloseable {
  static final int LEAVES = 4;
  static final int SPINES = 4;
  static final int HOSTS = 8;
  static final int PORTS_OF_A_SWITCH = 16;
  private static final int FIRST_UPLINK = 9;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path folder;
  private final Map<String, String> environment;
  private final Process simulator;
  private final OutputStream console;
  private final Process manager;

  private IbsimFabric(Path folder) throws IOException {
    this.folder = folder;
    Path preload = preload();
    Path net = folder.resolve("net");
    Files.writeString(net, net());
    environment =
        Map.of(
            "IBSIM_SOCKNAME", "fabric-health-" + ProcessHandle.current().pid(),
            "SIM_HOST", "n1 mlx5_0",
            "LD_PRELOAD", preload.toString(),
            "OSM_TMP_DIR", folder.toString(),
            "OSM_CACHE_DIR", folder.toString());
    ProcessBuilder builder =
        new ProcessBuilder("ibsim", "-s", net.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("ibsim.log").toFile());
    builder.environment().put("IBSIM_SOCKNAME", environment.getOrDefault("IBSIM_SOCKNAME", ""));
    simulator = builder.start();
    console = simulator.getOutputStream();
    Process started = null;
    try {
      waitFor(folder.resolve("ibsim.log"), "Network simulator ready");
      List<String> words = new ArrayList<>(command());
      words.addAll(List.of("opensm", "-f", folder.resolve("opensm.log").toString()));
      started =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("opensm.out").toFile())
              .start();
      waitForLids();
    } catch (IOException | RuntimeException e) {
      simulator.destroyForcibly();
      if (started != null) {
        started.destroyForcibly();
      }
      throw e;
    }
    manager = started;
  }

  /** Starts it; the test is skipped with a message where a program is missing. */
  static IbsimFabric start(Path folder) {
    Tool.require("ibsim");
    Tool.require("opensm");
    Tool.require("ibnetdiscover");
    try {
      return new IbsimFabric(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path preload() throws IOException {
    try (Stream<Path> files = Files.find(Path.of("/usr/lib"), 4, IbsimFabric::isPreload)) {
      List<Path> found = files.toList();
      assumeTrue(!found.isEmpty(), "skipped: libumad2sim.so is not installed");
      return found.getFirst();
    }
  }

  private static boolean isPreload(Path file, BasicFileAttributes attributes) {
    return file.endsWith("umad2sim/libumad2sim.so");
  }

  /** Words before those of a tool that is to see the simulated subnet. */
  List<String> command() {
    // The preloaded library makes a folder where it runs, and leaves it when it is killed.
    List<String> words = new ArrayList<>(List.of("env", "--chdir=" + folder));
    environment.forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }

  /** Types a line at the simulator's console. */
  void type(String line) {
    try {
      console.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      console.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String net() {
    StringBuilder net = new StringBuilder();
    for (int leaf = 1; leaf <= LEAVES; leaf++) {
      net.append("Switch %d \"leaf%d\"\n".formatted(PORTS_OF_A_SWITCH, leaf));
      for (int host = 1; host <= 2; host++) {
        net.append("[%d] \"n%d mlx5_0\"[1]\n".formatted(host, (leaf - 1) * 2 + host));
      }
      for (int spine = 1; spine <= SPINES; spine++) {
        net.append("[%d] \"spine%d\"[%d]\n".formatted(FIRST_UPLINK + spine - 1, spine, leaf));
      }
      net.append('\n');
    }
    for (int spine = 1; spine <= SPINES; spine++) {
      net.append("Switch %d \"spine%d\"\n".formatted(PORTS_OF_A_SWITCH, spine));
      for (int leaf = 1; leaf <= LEAVES; leaf++) {
        net.append("[%d] \"leaf%d\"[%d]\n".formatted(leaf, leaf, FIRST_UPLINK + spine - 1));
      }
      net.append('\n');
    }
    for (int host = 1; host <= HOSTS; host++) {
      net.append("Hca 1 \"n%d mlx5_0\"\n".formatted(host));
      net.append("[1] \"leaf%d\"[%d]\n\n".formatted((host + 1) / 2, (host - 1) % 2 + 1));
    }
    return net.toString();
  }

  private static void waitFor(Path file, String words) throws IOException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(file)
        || !Files.readString(file, StandardCharsets.ISO_8859_1).contains(words)) {
      pause(until, "'%s' in %s".formatted(words, file));
    }
  }

  /** The manager has done its work when every port has a LID; its log is not written at once. */
  private void waitForLids() {
    List<String> words = new ArrayList<>(command());
    words.add("ibnetdiscover");
    Tool env = new Tool(words.getFirst());
    long until = System.nanoTime() + PATIENCE.toNanos();
    String output = "";
    while (!output.contains(" lid ") || output.contains(" lid 0 ")) {
      pause(until, "LIDs");
      output = env.run(words.subList(1, words.size()), "").output();
    }
  }

  private static void pause(long until, String expected) {
    if (System.nanoTime() - until > 0) {
      throw new IllegalStateException("no %s within %s".formatted(expected, PATIENCE));
    }
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    // env becomes the program that it runs, so these are the programs themselves.
    manager.destroyForcibly();
    simulator.destroyForcibly();
  }
}
