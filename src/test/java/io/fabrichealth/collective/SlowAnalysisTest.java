package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowAnalysisTest {
  private static final RecordedJob.Delay NONE = (rank, step, layer) -> 0;

  private static List<CollectiveFinding> found(RecordedJob job) {
    return SlowAnalysis.analyze(Job.UNNAMED, job.record());
  }

  private static RecordedJob job(boolean measured) {
    RecordedJob job = new RecordedJob(8, 2);
    return measured ? job : job.withoutEnds();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_job_whose_ranks_are_alike_is_not_slow(boolean measured) {
    assertThat(found(job(measured).delay(NONE))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_rank_that_computes_longer_is_named_and_none_that_waits_for_it(boolean measured) {
    List<CollectiveFinding> found =
        found(job(measured).delay((rank, step, layer) -> rank == 5 ? 20 : 0));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.COMPUTE_STRAGGLER);
    assertThat(found.getFirst().ranks()).containsExactly(5);
    assertThat(found.getFirst().subject()).isEqualTo(new Subject(SubjectType.RANK, "-/5"));
    assertThat(found.getFirst().probability()).isGreaterThan(0.95);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_rank_whose_data_come_late_is_named_though_it_computes_as_fast(boolean measured) {
    List<CollectiveFinding> found =
        found(job(measured).delay((rank, step, layer) -> rank == 2 && layer == 0 ? 30 : 0));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.COMPUTE_STRAGGLER);
    assertThat(found.getFirst().ranks()).containsExactly(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_clock_that_is_wrong_and_runs_away_blames_nobody(boolean measured) {
    assertThat(found(job(measured).steps(60).clocks(2_500, 200))).isEmpty();
    assertThat(found(job(measured).steps(60).clocks(-50, -40))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_slow_rank_is_found_behind_a_wrong_clock(boolean measured) {
    RecordedJob job =
        job(measured).steps(60).clocks(2_500, 200).delay((rank, step, layer) -> rank == 6 ? 20 : 0);

    assertThat(found(job))
        .singleElement()
        .extracting(CollectiveFinding::ranks)
        .isEqualTo(List.of(6));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void another_rank_late_in_each_step_is_nobodys_fault(boolean measured) {
    List<CollectiveFinding> found =
        found(job(measured).delay((rank, step, layer) -> step % 8 == rank ? 20 : 0));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.WORKLOAD_IMBALANCE);
    assertThat(found.getFirst().ranks()).isEmpty();
    assertThat(found.getFirst().subject()).isEqualTo(new Subject(SubjectType.JOB, "-"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void another_rank_late_in_each_step_is_seen_where_groups_of_one_lie_between(boolean measured) {
    RecordedJob job = new RecordedJob(6, 1);
    RecordedJob timed = measured ? job : job.withoutEnds();
    List<CollectiveFinding> found =
        found(timed.delay((rank, step, layer) -> step % 6 == rank ? 20 : 0));

    assertThat(found)
        .singleElement()
        .extracting(CollectiveFinding::cause)
        .isEqualTo(Cause.WORKLOAD_IMBALANCE);
  }

  @Test
  void all_ranks_of_a_slow_host_are_one_finding_about_the_host() {
    List<JobRank> roster = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      roster.add(new JobRank(rank, "gpu-00" + rank / 4, rank % 4, null));
    }
    RecordedJob job = job(true).delay((rank, step, layer) -> rank >= 4 ? 20 : 0);

    List<CollectiveFinding> found =
        SlowAnalysis.analyze(new Job("train-7", roster, List.of()), job.record());

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().subject()).isEqualTo(Subject.host("gpu-001"));
    assertThat(found.getFirst().ranks()).containsExactly(4, 5, 6, 7);
    assertThat(found.getFirst().hosts()).containsExactly("gpu-001");
  }

  @Test
  void without_a_roster_many_slow_ranks_are_one_finding() {
    List<CollectiveFinding> found =
        found(job(true).delay((rank, step, layer) -> rank >= 4 ? 20 : 0));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().ranks()).containsExactly(4, 5, 6, 7);
  }

  @Test
  void the_last_entries_of_a_ring_are_enough() {
    RecordedJob job = job(true).lastEntries(48).delay((rank, step, layer) -> rank == 1 ? 20 : 0);

    assertThat(found(job))
        .singleElement()
        .extracting(CollectiveFinding::ranks)
        .isEqualTo(List.of(1));
  }

  @Test
  void a_single_pause_is_no_straggler() {
    RecordedJob job =
        job(true).delay((rank, step, layer) -> rank == 3 && step == 9 && layer == 1 ? 2_000 : 0);

    assertThat(found(job)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_was_slow_in_two_steps_may_not_last(boolean measured) {
    RecordedJob job =
        job(measured)
            .steps(3)
            .largerFrom(1)
            .delay((rank, step, layer) -> rank == 3 && step > 0 ? 40 : 0);

    assertThat(found(job)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void who_waits_for_a_rank_without_a_dump_is_not_slow(int tensor) {
    RecordedJob job =
        new RecordedJob(8, tensor).withoutEnds().delay((rank, step, layer) -> rank == 3 ? 20 : 0);
    List<FlightRecorder> recorders = new ArrayList<>(job.record());
    recorders.remove(3);

    assertThat(SlowAnalysis.analyze(Job.UNNAMED, recorders)).isEmpty();
  }

  @Test
  void a_slow_rank_is_named_where_the_dump_of_another_one_lacks() {
    RecordedJob job = job(false).delay((rank, step, layer) -> rank == 5 ? 20 : 0);
    List<FlightRecorder> recorders = new ArrayList<>(job.record());
    recorders.remove(2);

    assertThat(SlowAnalysis.analyze(Job.UNNAMED, recorders))
        .singleElement()
        .extracting(CollectiveFinding::ranks)
        .isEqualTo(List.of(5));
  }

  @Test
  void nothing_is_said_of_nothing_or_of_one_rank() {
    assertThat(SlowAnalysis.analyze(Job.UNNAMED, List.of())).isEmpty();
    assertThat(SlowAnalysis.analyze(Job.UNNAMED, job(true).record().subList(0, 1))).isEmpty();
  }

  @Test
  void a_dump_that_is_there_twice_is_no_second_rank() {
    List<FlightRecorder> once = job(true).delay((rank, step, layer) -> rank == 5 ? 20 : 0).record();
    List<FlightRecorder> twice = new ArrayList<>(once);
    twice.addAll(once);

    assertThat(JobAnalyzer.analyze(Job.UNNAMED, twice, List.of()).findings())
        .isEqualTo(JobAnalyzer.analyze(Job.UNNAMED, once, List.of()).findings());
  }

  @Test
  void hostile_numbers_do_no_harm() {
    FlightRecorder.Builder builder =
        new FlightRecorder.Builder(0, "made")
            .tables(
                List.of(new ProcessGroup("", "", List.of())),
                List.of(new Operation("", "", -1, -1, List.of(), List.of(), List.of(), List.of())),
                List.of());
    long[] odd = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE, 1_790_000_000_000_000_000L};
    for (long first : odd) {
      for (long second : odd) {
        builder
            .entry(first, 0, 0, 0, -1)
            .sequences(second, first, 0)
            .times(first, 0, second, first);
      }
    }
    List<FlightRecorder> recorders = new ArrayList<>(job(false).record());
    recorders.add(builder.build());

    assertThat(SlowAnalysis.analyze(Job.UNNAMED, recorders)).isEmpty();
  }
}
