package io.fabrichealth.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.fabrichealth.collect.jobs.JobFiles;
import io.fabrichealth.collect.jobs.JobInputs;
import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.collective.recorder.PickledDump;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import io.fabrichealth.testing.GeneratedDumps;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How fast flight recorder dumps are read: one dump again and again on one thread, and then a whole
 * job's from their files, once, with the analysis, as {@code analyze} does in a JVM just started.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx1g -cp %classpath io.fabrichealth.benchmark.RecorderSpeed job /tmp/dumps 1024 2000"
 * </pre>
 *
 * Arguments: {@code reader} or {@code job}, the directory (made, and filled, where it does not
 * exist), ranks, entries of each.
 */
public final class RecorderSpeed {
  private static final int HUNG = 77;
  private static final int ROUNDS = 10;
  private static final int READS = 200;

  private RecorderSpeed() {}

  public static void main(String[] arguments) throws IOException, UnreadableDumpException {
    Path directory = Path.of(arguments[1]);
    int ranks = Integer.parseInt(arguments[2]);
    int entries = Integer.parseInt(arguments[3]);
    if (!Files.exists(directory)) {
      new GeneratedDumps(ranks, entries, HUNG % ranks).writeTo(directory);
    }
    if (arguments[0].equals("reader")) {
      reader(Files.readAllBytes(directory.resolve("comm_lib_trace_rank_5")));
    } else {
      job(directory, HUNG % ranks);
    }
  }

  private static void reader(byte[] dump) throws UnreadableDumpException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    PickledDump dumps = new PickledDump(new RecorderValues());
    for (int round = 0; round < ROUNDS; round++) {
      long entries = 0;
      long began = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < READS; i++) {
        entries += dumps.read(dump, dump.length, 5, "dump").recorder().size();
      }
      double seconds = (threads.getCurrentThreadCpuTime() - began) / 1e9;
      System.out.printf(
          "%.2f million entries, %.0f MB per CPU-second%n",
          entries / seconds / 1e6, (double) READS * dump.length / seconds / 1e6);
    }
  }

  private static void job(Path directory, int hung) {
    long began = System.nanoTime();
    JobInputs inputs =
        new JobFiles(JobLimits.OFFLINE, (files, bytes) -> {}).read(List.of(directory)).getFirst();
    double read = (System.nanoTime() - began) / 1e9;
    JobAnalysis analysis =
        JobAnalyzer.analyze(Job.UNNAMED, inputs.recorders(), inputs.unread(), inputs.logs());
    double all = (System.nanoTime() - began) / 1e9;
    long entries = inputs.recorders().stream().mapToLong(FlightRecorder::size).sum();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.printf(
        "%,d entries of %d ranks: read in %.2f s, analysed in %.2f s, %.2f CPU-seconds in all%n",
        entries, inputs.recorders().size(), read, all - read, system.getProcessCpuTime() / 1e9);
    System.out.printf(
        "%s; rank %d hangs%n",
        analysis.findings().stream().map(found -> found.cause() + " " + found.ranks()).toList(),
        hung);
  }
}
