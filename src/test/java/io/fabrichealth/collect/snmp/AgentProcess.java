package io.fabrichealth.collect.snmp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real agent, started for a test and ended after it. */
final class AgentProcess implements AutoCloseable {
  private final Process process;
  private final Path log;

  private AgentProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static AgentProcess start(List<String> command, Path directory) throws IOException {
    Path log = directory.resolve("agent.log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new AgentProcess(process, log);
  }

  static boolean isInstalled(String program) {
    for (String directory : List.of("/usr/bin", "/usr/sbin", "/usr/local/bin")) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }

  static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
