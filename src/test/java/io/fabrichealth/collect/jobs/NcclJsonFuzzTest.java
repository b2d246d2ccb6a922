package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.collective.log.JobLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/** JSON that is said to be NCCL's. */
class NcclJsonFuzzTest {

  @FuzzTest
  void a_result_of_nccl_tests_is_read_or_refused(byte[] bytes) {
    NcclTestJson.Reading reading = NcclTestJson.read(new ByteArrayInputStream(bytes), "x");

    JobLog log = JobLog.of("x", List.of(reading.test()), List.of());
    assertThat(JobAnalyzer.analyze(Job.UNNAMED, List.of(), List.of(), List.of(log))).isNotNull();
    assertThat(reading.leftOut()).isNotNegative();
  }

  @FuzzTest
  void answers_of_ras_are_read_or_refused(byte[] bytes) {
    RasJson.Reading reading = RasJson.read(new ByteArrayInputStream(bytes), "x");

    JobLog log = JobLog.of("x", List.of(), reading.answers());
    assertThat(JobAnalyzer.analyze(Job.UNNAMED, List.of(), List.of(), List.of(log))).isNotNull();
    assertThat(reading.leftOut()).isNotNegative();
  }

  @FuzzTest
  void lines_of_the_inspector_are_read_or_counted(byte[] bytes) throws IOException {
    InspectorJson.Reading reading = InspectorJson.read(new ByteArrayInputStream(bytes));

    assertThat(
            JobAnalyzer.analyze(
                Job.UNNAMED, List.of(), List.of(), List.of(), List.of(reading.log())))
        .isNotNull();
    assertThat(reading.reason() == null || reading.skipped() > 0).isTrue();
  }
}
