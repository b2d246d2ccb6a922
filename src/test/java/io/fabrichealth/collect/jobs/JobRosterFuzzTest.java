package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

/** A roster comes over the network, from whatever prints one. */
class JobRosterFuzzTest {

  @FuzzTest
  void is_a_roster_or_refused(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    String text = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
    try {
      Job job = JobRoster.of(text, bytes[0] & 0xf);
      List<Integer> ranks = job.ranks().stream().map(JobRank::rank).toList();
      assertThat(ranks).isNotEmpty().isSorted();
      assertThat(new HashSet<>(ranks)).hasSameSizeAs(ranks);
      assertThat(ranks.getFirst()).isNotNegative();
      assertThat(job.name()).isNotBlank();
      assertThat(job.groups())
          .allSatisfy(group -> assertThat(group.ranks()).isSorted().allMatch(rank -> rank >= 0));
    } catch (InvalidRosterException refused) {
      assertThat(refused).hasMessageMatching("(?s).{1,2000}");
    }
  }
}
