package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.torchdebug.TorchDebugTarget;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTorchDebugTest extends WrittenSettings {
  @Test
  void the_ranks_of_a_job_are_asked_where_its_roster_and_the_port_say() {
    write(
        "roster.json",
        """
        {"job": "x", "ranks": [{"rank": 0, "host": "a"}, {"rank": 1, "host": "a"},
          {"rank": 2, "host": "b", "gpu": 3}]}
        """);
    write("hosts", "gpu-[1-2]");
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                torch-debug:
                  interval: 5s
                  jobs:
                    - {name: llm, roster: roster.json, port-base: 26000, backends: [gloo]}
                    - {name: other, roster: hosts, ranks-per-host: 2}
                    - {name: list, interval: 2s, workers: [{rank: 7, url: "http://h:1/x"}]}
            """);

    assertThat(settings.jobs())
        .extracting(TorchDebugTarget::name)
        .containsExactly("llm", "other", "list");
    TorchDebugTarget llm = settings.jobs().getFirst();
    assertThat(llm.workers())
        .extracting(worker -> worker.rank() + " " + worker.url())
        .containsExactly("0 http://a:26000", "1 http://a:26001", "2 http://b:26003");
    assertThat(llm.job().ranks()).hasSize(3);
    assertThat(llm.backends()).containsExactly("gloo");
    assertThat(llm.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.jobs().get(1).workers())
        .extracting(worker -> worker.rank() + " " + worker.url())
        .containsExactly(
            "0 http://gpu-1:26000",
            "1 http://gpu-1:26001",
            "2 http://gpu-2:26000",
            "3 http://gpu-2:26001");
    TorchDebugTarget list = settings.jobs().getLast();
    assertThat(list.backends()).containsExactly("nccl", "gloo");
    assertThat(list.timeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(list.workers().getFirst().url()).isEqualTo(URI.create("http://h:1/x"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no ranks          | interval: 1s                                          | has no ranks
          a missing roster  | roster: nowhere.json                                  | there is no file
          a wrong roster    | roster: wrong.json                                    | a list of
          a host less rank  | roster: hostless.json                                 | tells no host of rank 0
          a large port      | {roster: many.json, port-base: 65535}                 | gives rank 1 port 65536
          a rank twice      | workers: [{rank: 1, url: "http://a"}, {rank: 1, url: "http://b"}] | second time
          a worker less     | workers: [{url: "http://a"}]                          | 'rank' is missing
          a negative rank   | workers: [{rank: -1, url: "http://a"}]                | out of range
          a backend         | {workers: [{rank: 1, url: "http://a"}], backends: ["a&b"]} | is no backend
          """)
  void a_job_is_refused_for(String what, String keys, String said) {
    write("wrong.json", "{}");
    write("hostless.json", "{\"ranks\": [{\"rank\": 0}]}");
    write(
        "many.json",
        "{\"ranks\": [{\"rank\": 0, \"host\": \"a\"}, {\"rank\": 1, \"host\": \"a\"}]}");
    String inside = keys.startsWith("{") ? keys.substring(1, keys.length() - 1) : keys;

    assertThat(
            onlyProblem(
                    "fabric-health: {collect: {torch-debug: {jobs: [{name: j, " + inside + "}]}}}")
                .toString())
        .contains(said);
  }
}
