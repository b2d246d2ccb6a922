package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExporterTest {
  private static final String SAMPLE =
      "[a-z_][a-z0-9_]*(\\{([a-z_]+=\"[^\"\\\\\n]*\",?)+})? -?[0-9.]+(E-?[0-9]+)?";

  private final ManualClock clock = new ManualClock();
  private final DemoFabric demo = DemoFabric.start(DemoScript.standard(), 1, clock);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
    demo.close();
  }

  @Test
  void each_host_shows_its_eight_hcas() throws Exception {
    assertThat(demo.hosts()).hasSize(8);
    clock.advance(Duration.ofSeconds(30));
    for (Exporter.Address host : demo.hosts()) {
      HttpResponse<String> response = get(host.url());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(response.body()).contains("nodename=\"" + host.device() + "\"");
      for (int hca = 0; hca < 8; hca++) {
        assertThat(response.body())
            .contains("node_infiniband_state_id{device=\"mlx5_%d\",port=\"1\"} 4\n".formatted(hca))
            .containsPattern(
                "node_ethtool_received_err_lane_3_phy\\{device=\"rail%d\"} \\d+\n".formatted(hca));
      }
    }
  }

  @Test
  void the_page_is_well_formed_and_names_no_sample_twice() throws Exception {
    clock.advance(Duration.ofSeconds(30));
    String family = "";
    Set<String> families = new HashSet<>();
    Set<String> samples = new HashSet<>();
    for (String line : get(demo.hosts().getFirst().url()).body().split("\n")) {
      if (line.startsWith("# HELP ")) {
        family = line.split(" ")[2];
        assertThat(families.add(family)).as(line).isTrue();
      } else if (!line.startsWith("# TYPE " + family + " ")) {
        assertThat(line).matches(SAMPLE).startsWith(family);
        assertThat(samples.add(line.substring(0, line.lastIndexOf(' ')))).as(line).isTrue();
      }
    }
    assertThat(samples).hasSizeGreaterThan(8 * 60);
  }

  @Test
  void counters_and_the_hosts_own_time_move_together() throws Exception {
    clock.advance(Duration.ofSeconds(10));
    String first = get(demo.hosts().getFirst().url()).body();
    clock.advance(Duration.ofSeconds(10));
    String second = get(demo.hosts().getFirst().url()).body();

    String octets = "node_ethtool_received_bytes_phy{device=\"rail0\"}";
    double rate = (value(second, octets) - value(first, octets)) * 8 / 10;
    assertThat(rate).isBetween(.4 * 400e9, .7 * 400e9);
    assertThat(value(second, "node_time_seconds") - value(first, "node_time_seconds"))
        .isEqualTo(10);
    assertThat(value(second, "node_boot_time_seconds"))
        .isEqualTo(value(first, "node_boot_time_seconds"));
  }

  @Test
  void only_get_is_allowed_and_only_one_path_is_known() throws Exception {
    URI url = demo.hosts().getFirst().url();
    HttpRequest post =
        HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofString("x")).build();

    assertThat(client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(405);
    assertThat(get(url.resolve("/")).statusCode()).isEqualTo(404);
  }

  @Test
  void a_closed_fabric_answers_no_more() {
    List<URI> urls = new ArrayList<>();
    demo.hosts().forEach(host -> urls.add(host.url()));
    demo.close();

    for (URI url : urls) {
      Assertions.assertThatThrownBy(() -> get(url)).isInstanceOf(ConnectException.class);
    }
  }

  private HttpResponse<String> get(URI url) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(10)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static double value(String page, String series) {
    for (String line : page.split("\n")) {
      if (line.startsWith(series + " ")) {
        return Double.parseDouble(line.substring(series.length() + 1));
      }
    }
    throw new AssertionError("no series " + series);
  }
}
