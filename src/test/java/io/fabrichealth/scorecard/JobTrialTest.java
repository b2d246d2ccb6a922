package io.fabrichealth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.simulate.world.JobSimulation.Fault;
import org.junit.jupiter.api.Test;

class JobTrialTest {
  private static final int RUNS = 6;

  @Test
  void a_healthy_job_blames_nobody() {
    assertThat(new JobTrial(Fault.NONE).run(1, RUNS).wrong()).isZero();
  }

  @Test
  void a_slow_rank_is_named_and_never_the_network() {
    JobTrial trial = new JobTrial(Fault.SLOW_RANK).run(1, RUNS);

    assertThat(trial.named()).isEqualTo(RUNS);
    assertThat(trial.networkBlamed()).isZero();
    assertThat(trial.wrong()).isZero();
    assertThat(trial.impactError(.5)).isLessThan(.05);
  }

  @Test
  void a_hung_rank_is_named_and_none_that_waits_for_it() {
    JobTrial trial = new JobTrial(Fault.HUNG_RANK).run(1, RUNS);

    assertThat(trial.named()).isEqualTo(RUNS);
    assertThat(trial.wrong()).isZero();
  }

  @Test
  void a_slow_link_is_named_by_the_groups_that_share_it() {
    JobTrial trial = new JobTrial(Fault.SLOW_LINK).run(1, RUNS);

    assertThat(trial.named()).isEqualTo(RUNS);
    assertThat(trial.wrong()).isZero();
    assertThat(trial.impactError(.5)).isLessThan(.05);
  }

  @Test
  void a_job_that_grew_is_slower_and_nothing_is_broken() {
    JobTrial trial = new JobTrial(Fault.GROWTH).run(1, RUNS);

    assertThat(trial.networkBlamed()).isZero();
    assertThat(trial.wrong()).isZero();
  }
}
