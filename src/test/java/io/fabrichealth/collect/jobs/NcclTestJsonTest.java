package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.collective.log.NcclTest.Row;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NcclTestJsonTest {
  private static final String RESULT =
      """
      {"version":"2.19.6","start_time":"2026-10-01T10:00:00","args":["./build/all_reduce_perf","-b","8"],
       "env":["PATH=/usr/bin","HF_TOKEN=hf_secret_all_reduce_perf",{"nested":["AWS_SECRET=x"]}],
       "nccl_version":"2.30.7",
       "config":{"nthreads":1,"devices":[
         {"rank":0,"group":0,"pid":10,"host":"gpu-000","device":0,"pci_bus_id":"0000:1b:00","name":"NVIDIA H100"},
         {"rank":1,"group":0,"pid":11,"host":"gpu-001","device":0,"pci_bus_id":"0000:1b:00","name":"NVIDIA H100"}]},
       "results":[
        {"size":8,"count":2,"type":"float","redop":"sum","root":"    -1",
         "out_of_place":{"time":33.1,"alg_bw":0.01,"bus_bw":0.02,"nwrong":0},"in_place":null,
         "out_of_place_per_iter":{"min_us":1,"times_us":[1,2,3]},"actual_iterations":20},
        {"size":1048576,"count":262144,"type":"float","redop":"sum","root":"    -1",
         "out_of_place":{"cpu_time":74.8,"alg_bw":14.02,"bus_bw":24.54,"nwrong":null},
         "in_place":{"time":"nan","alg_bw":13.77,"bus_bw":24.09,"nwrong":3}}],
       "out_of_bounds":{"count":3,"okay":"false"},
       "average_bus_bandwidth":{"bandwidth":68.4,"okay":"unchecked"},"end_time":"x"}
      """;

  private static NcclTestJson.Reading read(String text) {
    return NcclTestJson.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "run.json");
  }

  @Test
  void the_table_is_that_of_the_file() {
    NcclTest test = read(RESULT).test();

    assertThat(test.operation()).isEqualTo("all_reduce");
    assertThat(test.hosts()).containsExactly("gpu-000", "gpu-001");
    assertThat(test.devices().getFirst().bus()).isEqualTo("0000:1b:00");
    assertThat(test.rows()).extracting(Row::size).containsExactly(8L, 1_048_576L);
    assertThat(test.rows()).extracting(Row::root).containsOnly(-1);
    Row last = test.rows().getLast();
    assertThat(last.outOfPlace()).isEqualTo(new NcclTest.Timing(74.8, 14.02, 24.54, -1));
    assertThat(last.inPlace()).isNotNull();
    assertThat(last.busBandwidth()).isEqualTo(24.54);
    assertThat(test.rows().getFirst().inPlace()).isNull();
    assertThat(test.outOfBounds()).isEqualTo(3);
    assertThat(test.isWrong()).isTrue();
    assertThat(test.averageBusBandwidth()).isEqualTo(68.4);
    assertThat(read(RESULT).reason()).isNull();
  }

  @Test
  void nothing_of_the_environment_is_kept() {
    assertThat(read(RESULT).toString()).doesNotContain("secret").doesNotContain("HF_TOKEN");
    assertThat(read(RESULT).test().operation()).isEqualTo("all_reduce");
  }

  @Test
  void a_file_that_ends_early_gives_what_was_there_and_why() {
    NcclTestJson.Reading reading = read(RESULT.substring(0, RESULT.indexOf("\"in_place\":{")));

    assertThat(reading.test().rows()).hasSize(1);
    assertThat(reading.reason()).contains("byte");
  }

  @Test
  void no_object_is_no_result() {
    assertThat(read("[1,2]").test().rows()).isEmpty();
    assertThat(read("").test().rows()).isEmpty();
  }
}
