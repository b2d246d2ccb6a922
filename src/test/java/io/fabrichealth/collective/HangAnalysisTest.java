package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.PlayedJob.Point;
import io.fabrichealth.collective.PlayedJob.Writer;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HangAnalysisTest {
  private static final int RUNS = 25;

  private static PlayedJob job(Writer writer, long seed) {
    Random random = new Random(seed);
    int stages = random.nextBoolean() ? 2 : random.nextBoolean() ? 1 : 4;
    int tensor = random.nextBoolean() ? 2 : 4;
    int replicas = random.nextBoolean() ? 2 : 4;
    return new PlayedJob(writer, stages * tensor * replicas, tensor, stages, 8, seed);
  }

  /** A point that the rank comes by: the last stage sends nothing on. */
  private static Point somewhere(PlayedJob job, int rank) {
    Point point = Point.values()[job.random.nextInt(5)];
    boolean isLast = rank >= job.world - job.data * job.tensor;
    return point == Point.PP && isLast ? Point.TP : point;
  }

  private static Set<Integer> named(JobAnalysis analysis, Cause cause) {
    Set<Integer> named = new TreeSet<>();
    analysis.findings().stream()
        .filter(finding -> finding.cause() == cause)
        .forEach(finding -> named.addAll(finding.ranks()));
    return named;
  }

  private static Set<Cause> causes(JobAnalysis analysis) {
    Set<Cause> causes = new TreeSet<>();
    analysis.findings().forEach(finding -> causes.add(finding.cause()));
    return causes;
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void a_job_that_ends_well_has_no_findings(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      JobAnalysis analysis = job(writer, seed).play().analysis();

      assertThat(analysis.findings()).as("seed %d", seed).isEmpty();
      assertThat(analysis.victims()).isEmpty();
      assertThat(analysis.unknown()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void a_rank_that_stops_anywhere_is_named_and_nobody_else(Writer writer) {
    for (long seed = 0; seed < RUNS * 4; seed++) {
      PlayedJob job = job(writer, seed);
      int rank = job.random.nextInt(job.world);
      Point point = somewhere(job, rank);
      int step = 2 + job.random.nextInt(4);
      JobAnalysis analysis = job.hang(rank, step, point).play().analysis();

      String as = "seed %d: rank %d of %d at %s".formatted(seed, rank, job.world, point);
      assertThat(causes(analysis)).as(as).containsExactly(Cause.HUNG_RANK);
      if (writer == Writer.GLOO) {
        assertThat(named(analysis, Cause.HUNG_RANK)).as(as).contains(rank);
        assertThat(named(analysis, Cause.HUNG_RANK)).as(as).isSubsetOf(idle(job));
      } else {
        assertThat(named(analysis, Cause.HUNG_RANK)).as(as).containsExactly(rank);
      }
    }
  }

  /** Ranks without an open entry: sends and receives are not recorded. */
  private static List<Integer> idle(PlayedJob job) {
    List<Integer> idle = new ArrayList<>();
    for (FlightRecorder dump : job.dumps()) {
      RecorderHabits habits = RecorderHabits.of(dump);
      boolean isIdle = true;
      for (int entry = 0; entry < dump.size(); entry++) {
        isIdle &= !habits.isOpen(dump, entry);
      }
      if (isIdle) {
        idle.add(dump.rank());
      }
    }
    return idle;
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void a_rank_that_died_is_named_though_it_left_nothing(Writer writer) {
    for (long seed = 0; seed < RUNS * 4; seed++) {
      PlayedJob job = job(writer, seed);
      int rank = job.random.nextInt(job.world);
      Point point = somewhere(job, rank);
      if (point == Point.WORLD && writer == Writer.HOOK) {
        // All others have issued the last operation of a step, and nobody tells that it hangs.
        point = Point.DATA;
      }
      JobAnalysis analysis = job.kill(rank, 3, point).play().analysis();

      String as = "seed %d: rank %d of %d at %s".formatted(seed, rank, job.world, point);
      assertThat(named(analysis, Cause.HUNG_RANK)).as(as).containsExactly(rank);
      assertThat(causes(analysis)).as(as).containsExactly(Cause.HUNG_RANK);
      assertThat(analysis.unknown()).as(as).extracting(UnknownRank::rank).containsExactly(rank);
      assertThat(analysis.findings().getFirst().summary())
          .as(as)
          .containsPattern("[1-9]\\d* ranks? waits? for it|nothing else explains");
    }
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void two_ranks_that_share_nothing_but_the_world_are_both_named(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      PlayedJob job = new PlayedJob(writer, 16, 2, 2, 8, seed);
      JobAnalysis analysis = job.hang(8, 5, Point.DATA).hang(11, 5, Point.DATA).play().analysis();

      assertThat(named(analysis, Cause.HUNG_RANK)).as("seed %d", seed).contains(8, 11);
      if (writer != Writer.GLOO) {
        assertThat(named(analysis, Cause.HUNG_RANK)).as("seed %d", seed).containsExactly(8, 11);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Writer.class,
      names = {"GLOO", "HOOK", "COMPLETING"})
  void a_small_ring_and_wrong_clocks_hide_nothing(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      PlayedJob job = job(writer, seed).ring(24).skew(2_500_000_000L);
      int rank = job.random.nextInt(job.world);
      JobAnalysis analysis = job.hang(rank, 5, Point.DP).play().analysis();

      assertThat(named(analysis, Cause.HUNG_RANK)).as("seed %d", seed).contains(rank);
      assertThat(causes(analysis)).containsExactly(Cause.HUNG_RANK);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Writer.class,
      names = {"GLOO", "HOOK", "COMPLETING"})
  void dumps_of_a_running_job_one_after_another_are_no_hang(Writer writer) {
    for (long seed = 0; seed < RUNS * 2; seed++) {
      PlayedJob job = job(writer, seed);
      int spread = 1 + job.random.nextInt(2);
      for (int rank = 0; rank < job.world; rank++) {
        job.rank(rank).dumpBefore(5 + job.random.nextInt(spread + 1));
      }
      JobAnalysis analysis = job.play().analysis();

      assertThat(analysis.findings()).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Writer.class,
      names = {"GLOO", "HOOK", "COMPLETING"})
  void a_frozen_rank_is_a_group_that_stands_still(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      PlayedJob job = job(writer, seed);
      int rank = job.random.nextInt(job.world);
      JobAnalysis analysis = job.freeze(rank, 3).play().analysis();

      assertThat(causes(analysis)).as("seed %d", seed).containsExactly(Cause.COLLECTIVE_STALLED);
    }
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void who_calls_something_else_is_named_by_majority(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      PlayedJob job = job(writer, seed);
      int rank = job.random.nextInt(job.world);
      int kind = job.random.nextInt(3);
      job.rank(rank)
          .wrong(
              4,
              operation -> {
                operation.called = kind == 0 ? "broadcast" : operation.called;
                operation.elements = kind == 1 ? 6144 : operation.elements;
                operation.type = kind == 2 ? "Int" : operation.type;
              });
      JobAnalysis analysis = job.play().analysis();

      // Of what has ended well such a dump holds nothing.
      if (writer != Writer.AHEAD || kind != 2) {
        String as = "seed %d: rank %d of %d, kind %d".formatted(seed, rank, job.world, kind);
        assertThat(named(analysis, Cause.COLLECTIVE_MISMATCH)).as(as).containsExactly(rank);
        assertThat(causes(analysis)).as(as).containsExactly(Cause.COLLECTIVE_MISMATCH);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Writer.class,
      names = {"GLOO", "HOOK", "COMPLETING"})
  void who_enters_the_groups_in_another_order_is_named(Writer writer) {
    for (long seed = 0; seed < RUNS; seed++) {
      PlayedJob job = job(writer, seed);
      int rank = job.random.nextInt(job.world);
      job.rank(rank).otherOrder(4);
      JobAnalysis analysis = job.play().analysis();

      assertThat(causes(analysis)).as("seed %d", seed).containsExactly(Cause.COLLECTIVE_DEADLOCK);
      assertThat(named(analysis, Cause.COLLECTIVE_DEADLOCK))
          .as("seed %d", seed)
          .containsExactly(rank);
    }
  }
}
