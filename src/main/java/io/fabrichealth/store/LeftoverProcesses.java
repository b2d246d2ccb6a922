package io.fabrichealth.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of an embedded PostgreSQL that outlived the process which started them. Whoever holds
 * the data directory may stop them: nobody else can rightly work on it.
 */
final class LeftoverProcesses {
  private static final Logger log = LoggerFactory.getLogger(LeftoverProcesses.class);
  private static final Set<String> PROGRAMS = Set.of("postgres", "initdb", "pg_ctl");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private LeftoverProcesses() {}

  /** Stops all that work on the cluster: first asked to end, then, after 5 seconds, killed. */
  static void stop(Path cluster) {
    for (ProcessHandle process : of(cluster)) {
      log.info("embedded-postgres=orphan pid={} action=stop", process.pid());
      process.destroy();
      if (!endsWithin(process, PATIENCE)) {
        log.warn("embedded-postgres=orphan pid={} action=kill", process.pid());
        process.destroyForcibly();
        endsWithin(process, PATIENCE);
      }
    }
  }

  static List<ProcessHandle> of(Path cluster) {
    return ProcessHandle.allProcesses().filter(process -> worksOn(process, cluster)).toList();
  }

  private static boolean worksOn(ProcessHandle process, Path cluster) {
    ProcessHandle.Info info = process.info();
    String program = info.command().map(Path::of).map(LeftoverProcesses::name).orElse("");
    String[] arguments = info.arguments().orElse(new String[0]);
    return PROGRAMS.contains(program) && Stream.of(arguments).anyMatch(cluster.toString()::equals);
  }

  private static String name(Path command) {
    Path name = command.getFileName();
    return name == null ? "" : name.toString();
  }

  private static boolean endsWithin(ProcessHandle process, Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return !process.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
