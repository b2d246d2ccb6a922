package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.testing.GeneratedDumps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFilesTest {
  private static final GeneratedDumps JOB = new GeneratedDumps(16, 30, 5);
  private static final String LOG =
      "[rank1]:[E1003 18:37:01.832146912 ProcessGroupNCCL.cpp:607] [Rank 1] Watchdog caught"
          + " collective operation timeout: WorkNCCL(SeqNum=6463, OpType=ALLREDUCE, NumelIn=1,"
          + " NumelOut=1, Timeout(ms)=1800000) ran for 1800017 milliseconds before timing out.\n";

  @TempDir private Path directory;

  @Test
  void a_directory_of_dumps_and_a_log_is_one_job() throws IOException {
    dumps(directory, 16);
    write("node0.log", LOG.getBytes(StandardCharsets.UTF_8));
    write("README", "how to read this\n".getBytes(StandardCharsets.UTF_8));

    JobInputs job = readOne();

    assertThat(job.name()).isEqualTo("-");
    assertThat(job.recorders()).hasSize(16).extracting(FlightRecorder::rank).isSorted();
    assertThat(job.logs()).anyMatch(log -> !log.isSilent());
    assertThat(job.unread()).isEmpty();
    assertThat(job.inputs()).hasSize(18);
    assertThat(inputOf(job, "trace_rank_3"))
        .returns(InputKind.FLIGHT_RECORDER, InputFile::kind)
        .returns(30L, InputFile::records);
  }

  @Test
  void the_truth_of_a_made_fault_is_not_looked_at() throws IOException {
    dumps(directory, 2);
    write("truth.json", "{\"expected\":{}}".getBytes(StandardCharsets.UTF_8));
    write("fault_injection.log", LOG.getBytes(StandardCharsets.UTF_8));

    JobInputs job = readOne();

    assertThat(job.inputs()).extracting(InputFile::path).noneMatch(path -> path.contains("truth"));
    assertThat(job.logs()).isEmpty();
  }

  @Test
  void directories_with_the_same_ranks_are_jobs_of_their_own() throws IOException {
    dumps(directory.resolve("monday"), 4);
    dumps(directory.resolve("tuesday"), 4);
    Files.createDirectories(directory.resolve("tuesday/logs"));
    write("tuesday/logs/job.log", LOG.getBytes(StandardCharsets.UTF_8));

    List<JobInputs> jobs = read(directory);

    assertThat(jobs).extracting(JobInputs::name).containsExactly("monday", "tuesday");
    assertThat(jobs.getLast().logs()).hasSize(1);
  }

  @Test
  void directories_with_different_ranks_are_hosts_of_one_job() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      Files.createDirectories(directory.resolve("host" + rank / 2));
      write("host" + rank / 2 + "/trace_rank_" + rank, JOB.dump(rank));
    }

    assertThat(readOne().recorders()).hasSize(4);
  }

  @Test
  void a_dump_as_pickle_and_json_counts_once() throws IOException {
    write("trace_rank_0", JOB.dump(0));
    write(
        "trace_rank_0.json",
        "{\"version\":\"2.10\",\"pg_config\":{},\"entries\":[]}".getBytes(StandardCharsets.UTF_8));

    JobInputs job = readOne();

    assertThat(job.recorders().getFirst().size()).isEqualTo(30);
    assertThat(job.recorders().stream().filter(recorder -> recorder.size() > 0)).hasSize(1);
  }

  @Test
  void damaged_dumps_are_told_by_rank_and_cost_no_other() throws IOException {
    dumps(directory, 3);
    write("trace_rank_3", Arrays.copyOf(JOB.dump(3), 4_000));
    write("trace_rank_4", new byte[0]);
    write("trace_rank_5", "\u0080\u0002cos\nsystem\n".getBytes(StandardCharsets.ISO_8859_1));
    write("trace_rank_6", new byte[1_000]);
    write("dump", JOB.dump(7));

    JobInputs job = readOne();

    assertThat(job.recorders()).extracting(FlightRecorder::rank).containsExactly(0, 1, 2, 3);
    assertThat(job.recorders().get(3).isWhole()).isFalse();
    assertThat(job.unread()).extracting(UnknownRank::rank).containsExactly(3, 4, 5);
    assertThat(job.unread().get(1).reason()).contains("it is empty");
    assertThat(job.unread().get(2).reason()).contains("byte 2, GLOBAL");
    assertThat(inputOf(job, "trace_rank_6").kind()).isEqualTo(InputKind.UNKNOWN);
    assertThat(inputOf(job, "dump").reason()).contains("the rank is not in its name");
  }

  @Test
  void tar_and_packed_tar_and_zip_are_read() throws IOException {
    Path tar = directory.resolve("dumps.tar");
    try (OutputStream out = Files.newOutputStream(tar)) {
      tar(out, "job/trace_rank_0", JOB.dump(0));
    }
    Path packed = directory.resolve("dumps.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      tar(out, "./trace_rank_1", gzip(JOB.dump(1)));
    }
    Path zip = directory.resolve("dumps.zip");
    try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(zip)) {
      entry(out, new ZipArchiveEntry("job/trace_rank_2"), JOB.dump(2));
    }
    write("trace_rank_3.gz", gzip(JOB.dump(3)));

    JobInputs job = readOne();

    assertThat(job.recorders()).extracting(FlightRecorder::rank).containsExactly(0, 1, 2, 3);
    assertThat(job.recorders()).allMatch(FlightRecorder::isWhole);
  }

  @Test
  void links_and_paths_that_lead_out_of_an_archive_are_refused() throws IOException {
    try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(directory.resolve("evil.zip"))) {
      entry(out, new ZipArchiveEntry("../../trace_rank_0"), JOB.dump(0));
      entry(out, new ZipArchiveEntry("/etc/trace_rank_1"), JOB.dump(1));
      ZipArchiveEntry link = new ZipArchiveEntry("trace_rank_2");
      link.setUnixMode(0120777);
      entry(out, link, "/etc/passwd".getBytes(StandardCharsets.UTF_8));
    }
    try (TarArchiveOutputStream out =
        new TarArchiveOutputStream(Files.newOutputStream(directory.resolve("evil.tar")))) {
      TarArchiveEntry link = new TarArchiveEntry("trace_rank_3", TarArchiveEntry.LF_SYMLINK);
      link.setLinkName("/etc/passwd");
      out.putArchiveEntry(link);
      out.closeArchiveEntry();
    }
    Files.createSymbolicLink(directory.resolve("trace_rank_4"), Path.of("/etc/passwd"));

    JobInputs job = readOne();

    assertThat(job.recorders()).isEmpty();
    assertThat(job.inputs()).hasSize(5);
    assertThat(job.inputs())
        .extracting(InputFile::reason)
        .allSatisfy(reason -> assertThat(reason).containsAnyOf("leads out", "link"));
  }

  @Test
  void bombs_are_refused() throws IOException {
    byte[] zeros = new byte[1 << 20];
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve("trace_rank_0.gz")))) {
      out.write(JOB.dump(0));
      for (int i = 0; i < 200; i++) {
        out.write(zeros);
      }
    }
    byte[] inner = Files.readAllBytes(directory.resolve("trace_rank_0.gz"));
    try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(directory.resolve("bomb.zip"))) {
      entry(out, new ZipArchiveEntry("trace_rank_1.gz"), inner);
      entry(out, new ZipArchiveEntry("trace_rank_2"), JOB.dump(2));
      entry(out, new ZipArchiveEntry("inner.zip"), new byte[] {'P', 'K', 3, 4, 0, 0});
    }

    JobInputs job = readOne();

    assertThat(job.unread()).extracting(UnknownRank::rank).containsExactly(0, 1);
    assertThat(job.unread().getFirst().reason()).contains("more than 500 times its size");
    assertThat(job.recorders()).extracting(FlightRecorder::rank).containsExactly(2);
    assertThat(inputOf(job, "inner.zip").reason()).contains("an archive within an archive");
  }

  @Test
  void limits_hold_for_files_dumps_and_all_together() throws IOException {
    dumps(directory, 4);

    JobInputs few = JobSplit.one(List.of());
    assertThat(few.isEmpty()).isTrue();
    assertThat(with(new JobLimits(2, 1 << 20, 1 << 30)).recorders()).hasSizeBetween(2, 3);
    JobInputs small = with(new JobLimits(10, 70_000, 1 << 30));
    assertThat(small.recorders()).hasSize(4);
    JobInputs all = with(new JobLimits(10, 1 << 20, 20_000));
    assertThat(all.recorders().stream().filter(FlightRecorder::isWhole)).hasSizeLessThan(4);
    assertThat(all.inputs()).anyMatch(file -> String.valueOf(file.reason()).contains("20,000"));
  }

  @Test
  void a_damaged_file_in_an_archive_costs_no_other() throws IOException {
    byte[] damaged = gzip(JOB.dump(0));
    Arrays.fill(damaged, 10, 200, (byte) 0xff);
    try (ZipArchiveOutputStream out = new ZipArchiveOutputStream(directory.resolve("job.zip"))) {
      entry(out, new ZipArchiveEntry("trace_rank_0.gz"), damaged);
      entry(out, new ZipArchiveEntry("trace_rank_1.gz"), gzip(JOB.dump(1)));
    }

    JobInputs job = readOne();

    assertThat(job.recorders()).extracting(FlightRecorder::rank).containsExactly(1);
    assertThat(inputOf(job, "trace_rank_0.gz").reason()).isNotBlank();
  }

  @Test
  void a_packed_file_of_many_empty_members_is_refused() throws IOException {
    byte[] empty = gzip(new byte[0]);
    try (OutputStream out = Files.newOutputStream(directory.resolve("job.log.gz"))) {
      for (int i = 0; i < 200_000; i++) {
        out.write(empty);
      }
    }
    dumps(directory, 1);

    JobInputs job = readOne();

    assertThat(job.recorders()).hasSize(1);
    assertThat(inputOf(job, "job.log.gz").reason()).contains("many empty members");
  }

  @Test
  void a_packed_file_that_is_cut_off_is_used_as_far_as_it_goes() throws IOException {
    String line =
        "{\"header\":{\"id\":\"0x1\",\"rank\":0,\"n_ranks\":8},\"metadata\":{\"hostname\":\"a\",\"pid\":1},"
            + "\"coll_perf\":{\"coll\":\"AllReduce\",\"coll_sn\":%d,\"coll_exec_time_us\":61}}\n";
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      lines.append(line.formatted(i));
    }
    byte[] packed = gzip(lines.toString().getBytes(StandardCharsets.UTF_8));
    write("inspector.log.gz", Arrays.copyOf(packed, packed.length - 1_000));

    InputFile read = inputOf(readOne(), "inspector.log.gz");

    assertThat(read.kind()).isEqualTo(InputKind.NCCL_INSPECTOR);
    assertThat(read.records()).isPositive();
    assertThat(read.reason()).contains("end of ZLIB input");
  }

  @Test
  void what_does_not_exist_is_told() {
    JobInputs job = read(directory.resolve("nowhere")).getFirst();

    assertThat(job.inputs()).extracting(InputFile::reason).containsExactly("there is no such file");
  }

  private JobInputs with(JobLimits limits) {
    return new JobFiles(limits, (files, bytes) -> {}).read(List.of(directory)).getFirst();
  }

  private JobInputs readOne() {
    List<JobInputs> jobs = read(directory);
    assertThat(jobs).hasSize(1);
    return jobs.getFirst();
  }

  private static List<JobInputs> read(Path path) {
    return new JobFiles(JobLimits.OFFLINE, (files, bytes) -> {}).read(List.of(path));
  }

  private static InputFile inputOf(JobInputs job, String name) {
    return job.inputs().stream()
        .filter(file -> file.path().endsWith(name))
        .findFirst()
        .orElseThrow();
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(directory.resolve(name), bytes);
  }

  private static void dumps(Path into, int ranks) throws IOException {
    Files.createDirectories(into);
    for (int rank = 0; rank < ranks; rank++) {
      Files.write(into.resolve("trace_rank_" + rank), JOB.dump(rank));
    }
  }

  private static void tar(OutputStream out, String name, byte[] bytes) throws IOException {
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      TarArchiveEntry entry = new TarArchiveEntry(name);
      entry.setSize(bytes.length);
      tar.putArchiveEntry(entry);
      tar.write(bytes);
      tar.closeArchiveEntry();
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static void entry(ZipArchiveOutputStream out, ZipArchiveEntry entry, byte[] bytes)
      throws IOException {
    out.putArchiveEntry(entry);
    out.write(bytes);
    out.closeArchiveEntry();
  }
}
