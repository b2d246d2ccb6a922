package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A folder that looks like a host to fabric-health-textfile.sh: a sysfs, and tools in a PATH. */
final class FakeHost {
  private static final Path SCRIPT = Path.of("src/main/host/fabric-health-textfile.sh");

  private final Path root;
  private final Path tools;
  private final Path out;

  FakeHost(Path root) throws IOException {
    this.root = root;
    tools = Files.createDirectories(root.resolve("bin"));
    out = Files.createDirectories(root.resolve("textfile")).resolve("fabric_host.prom");
    Files.createDirectories(root.resolve("sys/class/infiniband"));
  }

  /** What one run said. */
  record Run(int exitCode, String page, String said) {}

  Path out() {
    return out;
  }

  /** Writes a file below the root of sysfs. */
  FakeHost sys(String path, String content) throws IOException {
    Path file = root.resolve("sys").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content + "\n");
    return this;
  }

  /** An Ethernet port of an mlx5 HCA, with its interface. */
  FakeHost mlx5(String hca, String netdev, String mac) throws IOException {
    String device = "class/infiniband/" + hca;
    return sys(device + "/hca_type", "MT4129")
        .sys(device + "/node_guid", "b83f:d203:0000:0001")
        .sys(device + "/ports/1/link_layer", "Ethernet")
        .sys(device + "/ports/1/gid_attrs/ndevs/0", netdev)
        .sys(device + "/device/current_link_width", "16")
        .sys(device + "/device/current_link_speed", "32.0 GT/s PCIe")
        .sys("class/net/" + netdev + "/address", mac);
  }

  /** A tool that is this shell script. */
  FakeHost tool(String name, String script) throws IOException {
    Path file = tools.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return this;
  }

  /** A tool that prints this, whatever it is asked. */
  FakeHost prints(String name, String output) throws IOException {
    Files.writeString(root.resolve(name + ".out"), output);
    return tool(name, "cat '" + root.resolve(name + ".out") + "'");
  }

  /**
   * Runs the script.
   *
   * @param shell for example {@code busybox sh}
   * @param environment as {@code NAME=value}
   */
  Run run(String shell, String... environment) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("env", "FABRIC_SYSFS=" + root.resolve("sys")));
    command.add("FABRIC_STATE=" + root.resolve("state"));
    command.add("PATH=" + tools + ":/usr/bin:/bin");
    command.addAll(List.of(environment));
    command.addAll(List.of(shell.split(" ")));
    command.addAll(List.of(SCRIPT.toString(), out.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the script did not end within 60 s");
    }
    String page = Files.exists(out) ? Files.readString(out) : "";
    return new Run(process.exitValue(), page, said);
  }
}
