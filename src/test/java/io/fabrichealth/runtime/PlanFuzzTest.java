package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.topology.Fabric;
import java.util.Arrays;

/** A plan is a document that people put over the network. */
class PlanFuzzTest {

  @FuzzTest
  void is_a_plan_or_refused(byte[] data) {
    if (data.length == 0) {
      return;
    }
    boolean json = (data[0] & 1) == 1;
    try {
      Fabric plan = TopologyPlan.read(Arrays.copyOfRange(data, 1, data.length), json);
      assertThat(plan.links())
          .allSatisfy(
              link ->
                  assertThat(link.ends())
                      .allSatisfy(end -> assertThat(plan.linkAt(end)).isNotNull()));
      assertThat(plan.ports())
          .allSatisfy(port -> assertThat(plan.device(port.id().device())).isNotNull());
    } catch (SettingsException e) {
      assertThat(e.problems()).isNotEmpty();
    }
  }
}
