package io.fabrichealth.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dockerfile and docker-compose.yml name what exists. No container engine is needed. */
class ContainersTest {
  private final JsonNode services = Yaml.read(Path.of("docker-compose.yml")).get("services");
  private final String dockerfile;

  ContainersTest() throws IOException {
    dockerfile = Files.readString(Path.of("Dockerfile"));
  }

  @Test
  void the_image_is_built_from_files_that_exist() {
    Matcher copies = Pattern.compile("(?m)^COPY ([^-\\s]\\S*) ").matcher(dockerfile);
    List<String> sources = copies.results().map(match -> match.group(1)).toList();

    assertThat(sources).contains("pom.xml", "src");
    assertThat(sources).allSatisfy(source -> assertThat(Path.of(source)).exists());
    assertThat(Path.of("pom.xml")).content().contains("<finalName>fabric-health</finalName>");
  }

  @Test
  void each_stage_that_is_copied_from_is_defined() {
    List<String> stages = groups("(?m)^FROM \\S+ AS (\\S+)$");
    List<String> used = groups("(?m)^COPY --from=(\\S+) ");

    assertThat(used).isNotEmpty().isSubsetOf(stages);
  }

  @Test
  void the_image_runs_java_25_as_nobody_in_particular() {
    assertThat(groups("(?m)^FROM (\\S+)").getLast()).isEqualTo("eclipse-temurin:25-jre");
    assertThat(groups("(?m)^USER (\\d+)$")).containsExactly("10001");
    assertThat(groups("(?m)^EXPOSE (.*)$")).containsExactly("8080 8081");
    assertThat(dockerfile).contains("SERVER_ADDRESS=0.0.0.0", "MANAGEMENT_SERVER_ADDRESS=0.0.0.0");
  }

  @ParameterizedTest
  @CsvSource({"200, 0", "503, 1"})
  void the_health_check_asks_for_liveness_without_curl(int status, int exitCode) throws Exception {
    String check = groups("(?s)HEALTHCHECK .*?CMD (\\[.*?\\])\n").getFirst();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/livez",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    try {
      List<String> command = new ArrayList<>();
      JsonMapper.shared().readTree(check).forEach(word -> command.add(word.stringValue()));
      command.replaceAll(word -> word.replace("/8080", "/" + server.getAddress().getPort()));

      assertThat(new ProcessBuilder(command).start().waitFor()).isEqualTo(exitCode);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void mounted_files_exist() {
    List<Path> mounted = new ArrayList<>();
    for (JsonNode service : services) {
      for (JsonNode volume : service.path("volumes")) {
        if (volume.stringValue().startsWith("./")) {
          mounted.add(Path.of(volume.stringValue().split(":")[0]));
        }
      }
    }

    assertThat(mounted).hasSizeGreaterThan(4).allSatisfy(path -> assertThat(path).exists());
  }

  @Test
  void named_volumes_are_declared() {
    JsonNode declared = Yaml.read(Path.of("docker-compose.yml")).get("volumes");
    for (JsonNode service : services) {
      for (JsonNode volume : service.path("volumes")) {
        String source = volume.stringValue().split(":")[0];
        if (!source.startsWith(".")) {
          assertThat(declared.has(source)).as(source).isTrue();
        }
      }
    }
  }

  @Test
  void ports_are_published_on_this_machine_only() {
    for (JsonNode service : services) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.stringValue()).startsWith("127.0.0.1:");
      }
    }
  }

  @Test
  void the_service_listens_where_others_reach_it_and_uses_the_database_beside_it() {
    JsonNode service = services.get("fabric-health");
    JsonNode environment = service.get("environment");

    assertThat(environment.get("SPRING_PROFILES_ACTIVE").stringValue()).isEqualTo("demo");
    assertThat(environment.get("SERVER_ADDRESS").stringValue()).isEqualTo("0.0.0.0");
    assertThat(environment.get("MANAGEMENT_SERVER_ADDRESS").stringValue()).isEqualTo("0.0.0.0");
    String url = environment.get("SPRING_DATASOURCE_URL").stringValue();
    assertThat(services.has(url.replaceFirst("jdbc:postgresql://([^:/]+).*", "$1"))).isTrue();
    assertThat(url).endsWith("/" + services.at("/postgres/environment/POSTGRES_DB").stringValue());
    assertThat(service.get("ports").toString()).contains(":8080", ":8081");
  }

  @Test
  void prometheus_scrapes_and_alerts_services_that_are_there() {
    JsonNode prometheus = Yaml.read(Path.of("config/compose/prometheus.yaml"));
    List<String> targets = new ArrayList<>();
    prometheus
        .findValues("targets")
        .forEach(list -> list.forEach(target -> targets.add(target.stringValue())));

    assertThat(targets)
        .containsExactlyInAnyOrder("alertmanager:9093", "fabric-health:8080", "fabric-health:8081")
        .allSatisfy(target -> assertThat(services.has(target.split(":")[0])).isTrue());
    assertThat(prometheus.toString()).contains("/metrics/fabric", "/actuator/prometheus");
    assertThat(services.at("/prometheus/volumes").toString())
        .contains("./alert-rules:/etc/prometheus/alert-rules");
    assertThat(prometheus.at("/rule_files/0").stringValue())
        .isEqualTo("/etc/prometheus/alert-rules/fabric-*.yaml");
  }

  @Test
  void grafana_finds_the_dashboards_and_prometheus() {
    String path =
        Yaml.read(Path.of("config/compose/grafana-dashboards.yaml"))
            .at("/providers/0/options/path")
            .stringValue();
    JsonNode grafana = services.get("grafana");

    assertThat(grafana.get("volumes").toString()).contains("./dashboards:" + path + ":ro");
    String home =
        grafana.at("/environment/GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH").stringValue();
    assertThat(home).startsWith(path + "/");
    assertThat(Path.of("dashboards" + home.substring(path.length()))).exists();
    assertThat(
            Yaml.read(Path.of("config/compose/grafana-datasources.yaml"))
                .at("/datasources/0/url")
                .stringValue())
        .isEqualTo("http://prometheus:9090");
  }

  @Test
  void images_of_others_have_a_version() {
    for (JsonNode service : services) {
      if (!service.has("build")) {
        assertThat(service.get("image").stringValue()).matches(".+:v?\\d+.*");
      }
    }
  }

  private List<String> groups(String pattern) {
    return Pattern.compile(pattern)
        .matcher(dockerfile)
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
