package io.fabrichealth.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class ChartTest {
  private static final Path CHART = Path.of("helm", "fabric-health");
  private static final String FULL = "full-values.yaml";
  private static final String MINIMAL = "minimal-values.yaml";

  @TempDir private Path folder;

  static Stream<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(CHART.resolve("ci"))) {
      return files.sorted().toList().stream();
    }
  }

  @Test
  void lints() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.getMessages()).noneMatch(message -> message.contains("[ERROR]"));
    assertThat(result.isFailed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void no_pod_runs_as_root_or_may_write_its_own_files(Path values) {
    List<JsonNode> pods =
        render(values).stream()
            .filter(object -> List.of("Deployment", "Pod").contains(kind(object)))
            .map(object -> kind(object).equals("Pod") ? object : object.at("/spec/template"))
            .toList();

    assertThat(pods).isNotEmpty();
    for (JsonNode pod : pods) {
      assertThat(pod.at("/spec/securityContext/runAsNonRoot").booleanValue()).isTrue();
      assertThat(pod.at("/spec/automountServiceAccountToken").booleanValue(true)).isFalse();
      JsonNode container = pod.at("/spec/containers/0/securityContext");
      assertThat(container.at("/readOnlyRootFilesystem").booleanValue()).isTrue();
      assertThat(container.at("/allowPrivilegeEscalation").booleanValue(true)).isFalse();
      assertThat(container.at("/capabilities/drop/0").stringValue()).isEqualTo("ALL");
    }
  }

  @Test
  void the_container_listens_where_the_service_and_the_probes_look() {
    List<JsonNode> objects = render(CHART.resolve("ci").resolve(MINIMAL));
    JsonNode container = one(objects, "Deployment").at("/spec/template/spec/containers/0");

    assertThat(env(container))
        .containsEntry("SERVER_ADDRESS", "0.0.0.0")
        .containsEntry("MANAGEMENT_SERVER_ADDRESS", "0.0.0.0");
    assertThat(container.at("/startupProbe/httpGet/path").stringValue()).isEqualTo("/livez");
    assertThat(container.at("/livenessProbe/httpGet/path").stringValue()).isEqualTo("/livez");
    assertThat(container.at("/readinessProbe/httpGet/path").stringValue()).isEqualTo("/readyz");
    assertThat(container.at("/ports").toString())
        .contains("\"name\":\"http\",\"containerPort\":8080")
        .contains("\"name\":\"management\",\"containerPort\":8081");
    assertThat(one(objects, "Service").at("/spec/ports").toString())
        .contains("\"port\":8080,\"targetPort\":\"http\"")
        .contains("\"port\":8081,\"targetPort\":\"management\"");
  }

  @Test
  void volumes_are_mounted_where_the_image_looks() throws IOException {
    JsonNode container =
        one(render(CHART.resolve("ci").resolve(FULL)), "Deployment")
            .at("/spec/template/spec/containers/0");
    String dockerfile = Files.readString(Path.of("Dockerfile"));

    assertThat(container.at("/volumeMounts").toString())
        .contains("/opt/fabric-health/config", "/var/lib/fabric-health", "\"/tmp\"");
    assertThat(dockerfile)
        .contains("WORKDIR /opt/fabric-health")
        .contains("FABRIC_HEALTH_DATA_DIR=/var/lib/fabric-health");
  }

  @Test
  void the_rendered_configuration_is_one_that_the_service_takes() throws IOException {
    JsonNode data = one(render(CHART.resolve("ci").resolve(MINIMAL)), "ConfigMap").at("/data");
    for (Map.Entry<String, JsonNode> file : data.properties()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue().stringValue());
    }

    Settings settings = SettingsLoader.read(folder.resolve("fabric-health.yaml"), false);

    assertThat(settings.prometheus()).hasSize(1);
  }

  @Test
  void secrets_are_referred_to_and_never_rendered() {
    List<JsonNode> objects = render(CHART.resolve("ci").resolve(FULL));

    assertThat(objects).noneMatch(object -> kind(object).equals("Secret"));
    JsonNode container = one(objects, "Deployment").at("/spec/template/spec/containers/0");
    assertThat(container.at("/envFrom/0/secretRef/name").stringValue())
        .isEqualTo("fabric-health-env");
    assertThat(container.at("/env").toString())
        .contains("\"secretKeyRef\":{\"name\":\"fabric-health-database\",\"key\":\"password\"}");
  }

  @Test
  void everything_on_renders_every_kind() {
    assertThat(render(CHART.resolve("ci").resolve(FULL)))
        .extracting(ChartTest::kind)
        .contains(
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PersistentVolumeClaim",
            "PodDisruptionBudget",
            "PrometheusRule",
            "Service",
            "ServiceAccount",
            "ServiceMonitor");
  }

  @Test
  void a_database_without_a_secret_is_refused() {
    TemplateCommand command =
        new Helm(CHART).template().set("database.url", "jdbc:postgresql://db:5432/fabric");

    assertThatThrownBy(command::call).hasMessageContaining("database.existingSecret is required");
  }

  @ParameterizedTest
  @CsvSource({"imgae.tag, imgae", "service.prot, prot", "database.password, password"})
  void an_unknown_value_is_refused(String value, String named) {
    TemplateCommand command = new Helm(CHART).template().set(value, "x");

    assertThatThrownBy(command::call)
        .hasMessageContaining("additional properties '" + named + "' not allowed");
  }

  @ParameterizedTest
  @CsvSource({"alert-rules, rules", "dashboards, dashboards"})
  void the_chart_carries_equal_copies_of(String source, String copy) throws IOException {
    Path copies = CHART.resolve(copy);
    if (Boolean.getBoolean("docs.write")) {
      for (Path file : files(Path.of(source))) {
        Files.copy(file, copies.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Map<String, String> expected = contents(Path.of(source));
    Map<String, String> actual = contents(copies);

    assertThat(actual).isNotEmpty();
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    assertThat(expected.keySet())
        .as("copies in %s are stale: run this test with -Ddocs.write=true", copies)
        .filteredOn(name -> !actual.get(name).equals(expected.get(name)))
        .isEmpty();
  }

  @Test
  void rules_and_dashboards_are_rendered_unchanged() throws IOException {
    List<JsonNode> objects = render(CHART.resolve("ci").resolve(FULL));

    for (Path rules : files(CHART.resolve("rules"))) {
      assertThat(objects)
          .filteredOn(object -> kind(object).equals("PrometheusRule"))
          .extracting(object -> object.at("/spec"))
          .contains(Yaml.read(rules));
    }
    for (Path dashboard : files(CHART.resolve("dashboards"))) {
      String name = dashboard.getFileName().toString();
      assertThat(objects)
          .filteredOn(object -> object.at("/data").has(name))
          .singleElement()
          .satisfies(
              object ->
                  assertThat(object.at("/data").get(name).stringValue().strip())
                      .isEqualTo(Files.readString(dashboard).strip()));
    }
  }

  private static List<JsonNode> render(Path values) {
    return Yaml.documents(
        new Helm(CHART).template().withName("fabric-health").withValuesFile(values).call());
  }

  private static JsonNode one(List<JsonNode> objects, String kind) {
    return objects.stream().filter(object -> kind(object).equals(kind)).findFirst().orElseThrow();
  }

  private static String kind(JsonNode object) {
    return object.at("/kind").stringValue();
  }

  private static Map<String, String> env(JsonNode container) {
    Map<String, String> env = new TreeMap<>();
    container
        .at("/env")
        .forEach(
            entry -> env.put(entry.get("name").stringValue(), entry.path("value").stringValue("")));
    return env;
  }

  /** The rule files and dashboards of a folder by name; what else lies there is no part of it. */
  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : files(folder)) {
      contents.put(file.getFileName().toString(), Files.readString(file));
    }
    return contents;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().matches("fabric-.*\\.(yaml|json)"))
          .sorted()
          .toList();
    }
  }
}
