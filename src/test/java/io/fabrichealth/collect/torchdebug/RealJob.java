package io.fabrichealth.collect.torchdebug;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A job of PyTorch with its debug servers, as the collective lab starts it. The interpreter is
 * {@code python3}, or what {@code FABRIC_HEALTH_TORCH_PYTHON} names.
 */
public final class RealJob implements AutoCloseable {
  private static final Path LAB = Path.of("../shared/tools/collective-lab/run_job.py");
  private static final String PYTHON =
      Objects.requireNonNullElse(System.getenv("FABRIC_HEALTH_TORCH_PYTHON"), "python3");
  private static final int FIRST_PORT = 26_340;

  private final Process process;
  private final int port;

  private RealJob(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** What there is not here that such a job needs; empty where there is all. */
  public static String missing() throws InterruptedException {
    if (!Files.isRegularFile(LAB)) {
      return "collective-lab is not here";
    }
    try {
      Process asked =
          new ProcessBuilder(PYTHON, "-c", "import torch.distributed.debug")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return asked.waitFor(60, TimeUnit.SECONDS) && asked.exitValue() == 0
          ? ""
          : PYTHON + " has no PyTorch with a debug server";
    } catch (IOException e) {
      return PYTHON + " is not here";
    }
  }

  /**
   * Starts a job.
   *
   * @param scenario in the words of the lab
   */
  public static RealJob start(Path folder, int world, String scenario, String... more)
      throws IOException {
    int port = FIRST_PORT;
    while (!areFree(port, world)) {
      port += world;
    }
    List<String> command =
        new ArrayList<>(
            List.of(PYTHON, LAB.toString(), "--scenario", scenario, "--world", "" + world));
    command.addAll(List.of(more));
    command.addAll(List.of("--serve", "" + port, "--output", folder.resolve("out").toString()));
    return new RealJob(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start(),
        port);
  }

  /** The servers share a port with whoever listens there, so that either may answer. */
  private static boolean areFree(int port, int world) {
    for (int rank = 0; rank < world; rank++) {
      try (ServerSocket free = new ServerSocket()) {
        free.setReuseAddress(true);
        free.bind(new InetSocketAddress(port + rank));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }

  public URI url(int rank) {
    return URI.create("http://127.0.0.1:" + (port + rank));
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }
}
