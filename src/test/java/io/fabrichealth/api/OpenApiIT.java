package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.WebSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class OpenApiIT {
  private static final Path CHECKED_IN = Path.of("docs/reference/openapi.yaml");

  @LocalServerPort private int port;

  /** {@code mvn verify -Dit.test=OpenApiIT -Ddocs.write} writes the document anew. */
  @Test
  void the_document_in_the_repository_is_that_of_the_service() throws IOException {
    String served =
        new Http(port)
            .get("/v3/api-docs.yaml")
            .text()
            .replaceAll("(?m)^servers:\n(- .*\n|  .*\n)*", "");
    if (System.getProperty("docs.write") != null) {
      Files.createDirectories(CHECKED_IN.getParent());
      Files.writeString(CHECKED_IN, served);
    }

    assertThat(CHECKED_IN)
        .as("written anew by mvn verify -Dit.test=OpenApiIT -Ddocs.write")
        .hasContent(served);
  }

  @Test
  void it_is_openapi_3_1_and_every_call_has_an_id_a_summary_and_a_problem() {
    JsonNode api = new Http(port).get("/v3/api-docs").json();

    assertThat(api.get("openapi").asString()).startsWith("3.1");
    assertThat(api.get("paths").propertyNames())
        .contains(
            "/api/v1/links",
            "/api/v1/links/{id}",
            "/api/v1/links/{id}/evidence",
            "/api/v1/incidents",
            "/api/v1/incidents/{id}",
            "/api/v1/devices",
            "/api/v1/topology",
            "/api/v1/targets",
            "/api/v1/readings",
            "/api/v1/jobs/{job}/flight-recorder")
        .allMatch(path -> path.startsWith("/api/v1/"));
    for (JsonNode path : api.get("paths")) {
      for (JsonNode call : path) {
        assertThat(call.get("operationId").asString()).isNotBlank();
        assertThat(call.get("summary").asString()).isNotBlank();
        assertThat(call.at("/responses/default/content/application~1problem+json").isMissingNode())
            .isFalse();
        String usual = call.at("/responses/201").isMissingNode() ? "200" : "201";
        assertThat(call.at("/responses/" + usual + "/content/application~1json").isMissingNode())
            .isFalse();
      }
    }
  }

  @Test
  void the_parameters_of_a_list_are_documented_with_what_they_allow() {
    JsonNode parameters =
        new Http(port).get("/v3/api-docs").json().at("/paths/~1api~1v1~1links/get/parameters");

    List<String> names = parameters.findValuesAsString("name");
    assertThat(names)
        .containsExactlyInAnyOrder(
            "state",
            "device",
            "rail",
            "tier",
            "cause",
            "minProbability",
            "sort",
            "limit",
            "cursor");
    assertThat(parameters.toString())
        .contains("\"DEGRADED\"", "\"leaf-spine\"", "\"-probability\"");
  }
}
