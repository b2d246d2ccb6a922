package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs of this machine, in a small environment. Their output is asked for whether there is
 * some, and never waited for in a read: a program that hangs, or whose child keeps the stream open,
 * holds nobody up.
 */
final class LocalTools implements ToolRunner {
  /** What sudo and ssh need beside the search path. */
  private static final Set<String> KEPT = Set.of("HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK");

  /** Where distributions put the tools; the service's own search path may lack them. */
  private static final List<String> SYSTEM = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");

  private static final int MOST_COMPLAINT = 300;
  private static final Duration GRACE = Duration.ofMillis(500);

  private final List<String> path = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  LocalTools(Map<String, String> inherited) {
    String told = inherited.getOrDefault("PATH", "");
    for (String folder : told.split(":")) {
      if (!folder.isEmpty()) {
        path.add(folder);
      }
    }
    SYSTEM.stream().filter(folder -> !path.contains(folder)).forEach(path::add);
    KEPT.stream()
        .filter(inherited::containsKey)
        .forEach(name -> environment.put(name, inherited.get(name)));
    environment.put("PATH", String.join(":", path));
    environment.put("LC_ALL", "C");
  }

  @Override
  public End run(List<String> words, Duration limit, Output output)
      throws CollectException, InterruptedException {
    List<String> command = new ArrayList<>(words);
    command.set(0, located(words.getFirst()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new CollectException(
          FailureCode.UNREACHABLE, "cannot run '%s'".formatted(words.getFirst()), e);
    }
    long until = System.nanoTime() + limit.toNanos();
    Complaint complaint = new Complaint(process.getErrorStream());
    try {
      process.getOutputStream().close();
      output.read(new Running(process, complaint, until));
      return new End(ended(process, complaint, until), complaint.text());
    } catch (InterruptedIOException e) {
      if (Thread.interrupted()) {
        throw interrupted(e);
      }
      throw new CollectException(
          FailureCode.TIMEOUT, "not done within %d ms".formatted(limit.toMillis()), e);
    } catch (IOException e) {
      throw new CollectException(FailureCode.UNREACHABLE, "output cannot be read: " + e, e);
    } finally {
      end(process);
    }
  }

  private static InterruptedException interrupted(IOException cause) {
    InterruptedException interrupted = new InterruptedException("while a tool ran");
    interrupted.initCause(cause);
    return interrupted;
  }

  private String located(String program) {
    if (program.contains("/")) {
      return program;
    }
    return path.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(program);
  }

  /** Waits for the end of a program whose output was read to its end, or as far as it is wanted. */
  private static int ended(Process process, Complaint complaint, long until)
      throws InterruptedException, IOException {
    byte[] unwanted = new byte[8_192];
    while (!process.waitFor(2, TimeUnit.MILLISECONDS)) {
      while (process.getInputStream().available() > 0
          && process.getInputStream().read(unwanted) > 0) {
        checkTime(until);
      }
      complaint.drain();
      checkTime(until);
    }
    complaint.drain();
    return process.exitValue();
  }

  private static void checkTime(long until) throws InterruptedIOException {
    if (System.nanoTime() - until >= 0) {
      throw new InterruptedIOException("not done in time");
    }
  }

  private static void end(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    if (!process.isAlive()) {
      all.removeLast();
    }
    all.forEach(ProcessHandle::destroy);
    boolean interrupted = false;
    try {
      if (process.isAlive() && !process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        all.forEach(ProcessHandle::destroyForcibly);
      }
    } catch (InterruptedException e) {
      interrupted = true;
      all.forEach(ProcessHandle::destroyForcibly);
    }
    closeQuietly(process.getInputStream());
    closeQuietly(process.getErrorStream());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      // The program is gone, and nobody reads from it any more.
      return;
    }
  }

  /** The output of a program until it ends. */
  private static final class Running extends InputStream {
    private final Process process;
    private final InputStream out;
    private final Complaint complaint;
    private final long until;

    Running(Process process, Complaint complaint, long until) {
      this.process = process;
      this.complaint = complaint;
      this.until = until;
      out = process.getInputStream();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        while (true) {
          checkTime(until);
          complaint.drain();
          // In this order: what it wrote before it ended is there once it has ended.
          boolean hasEnded = !process.isAlive();
          int available = out.available();
          if (available > 0) {
            return out.read(bytes, offset, Math.min(available, length));
          }
          if (hasEnded) {
            return -1;
          }
          process.waitFor(2, TimeUnit.MILLISECONDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
  }

  /** The beginning of what a program says on its error stream. */
  private static final class Complaint {
    private final InputStream err;
    private final byte[] buffer = new byte[4_096];
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    Complaint(InputStream err) {
      this.err = err;
    }

    void drain() throws IOException {
      while (err.available() > 0) {
        int got = err.read(buffer, 0, Math.min(buffer.length, err.available()));
        if (got <= 0) {
          return;
        }
        begun.write(buffer, 0, Math.max(0, Math.min(got, MOST_COMPLAINT - begun.size())));
      }
    }

    String text() {
      return begun.toString(StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ").strip();
    }
  }
}
