package io.fabrichealth.cli;

import io.fabrichealth.collect.jobs.InvalidRosterException;
import io.fabrichealth.collect.jobs.JobFiles;
import io.fabrichealth.collect.jobs.JobInputs;
import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.collect.jobs.JobRoster;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.runtime.JobReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what is wrong with a job by what it left, without service and database. */
@Command(
    name = "analyze",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Reads what a job left behind (flight recorder dumps, logs, results of nccl-tests) and says",
      "which rank, host or link is to blame, and who only waited."
    },
    footer = {"", "Exit codes: 0 nothing found, 1 something found, 2 no input could be read."})
final class AnalyzeCommand implements Callable<Integer> {
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files, directories, and archives (tar, tar.gz, zip) of them.")
  private List<Path> paths = List.of();

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; json where none is given.")
  private Output output = Output.JSON;

  @Option(
      names = "--job",
      paramLabel = "FILE",
      description = {
        "Which rank runs where: a capture's job record, kubectl get pods -o json, scontrol show",
        "job, or a Slurm hostlist."
      })
  private @Nullable Path roster;

  @Option(
      names = "--ranks-per-host",
      paramLabel = "N",
      description = "Where the roster names hosts only.")
  private int ranksPerHost;

  private final AtomicLong toldNanos = new AtomicLong(System.nanoTime());

  @Override
  public Integer call() {
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    Job job = Job.UNNAMED;
    if (roster != null) {
      try {
        job = JobRoster.read(roster, ranksPerHost);
      } catch (InvalidRosterException problem) {
        return refuse(roster + ": " + problem.getMessage());
      } catch (IOException problem) {
        return refuse(roster + " cannot be read: " + FileProblem.reason(problem));
      }
    }
    List<JobInputs> jobs = new JobFiles(JobLimits.OFFLINE, this::tell).read(paths);
    JobReport.Builder builder = new JobReport.Builder(jobs.size() > 1);
    for (JobInputs inputs : jobs) {
      String name = jobs.size() > 1 ? inputs.name() : job.name();
      builder.add(
          inputs,
          JobAnalyzer.analyze(
              new Job(name, job.ranks(), job.groups()),
              inputs.recorders(),
              inputs.unread(),
              inputs.logs(),
              inputs.inspectors()));
    }
    JobReport report = builder.build();
    output.print(spec, report, () -> AnalyzeTable.lines(report));
    if (jobs.stream().allMatch(JobInputs::isEmpty)) {
      Output.say(spec, "no dump or log could be read");
      return ExitCode.USAGE;
    }
    return report.findings().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int refuse(String line) {
    Output.say(spec, line);
    return ExitCode.USAGE;
  }

  private void tell(int files, long bytes) {
    long now = System.nanoTime();
    long told = toldNanos.get();
    if (now - told >= TELL_EVERY_NANOS && toldNanos.compareAndSet(told, now)) {
      Output.say(spec, "%,d files, %,d MB".formatted(files, bytes / 1_000_000));
    }
  }
}
