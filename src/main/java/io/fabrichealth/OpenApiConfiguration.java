package io.fabrichealth;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.info.License;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the OpenAPI document says beyond what the controllers do. */
@Configuration(proxyBeanMethods = false)
@Import(ViewSchemas.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "fabric-health",
            version = "1",
            description =
                "Which links of a GPU fabric are silently degraded, why, and what to do. Ids are"
                    + " opaque and hold slashes and colons: percent-encode them in a path.",
            license = @License(name = "Apache-2.0", identifier = "Apache-2.0")))
public class OpenApiConfiguration {

  /** Every call may answer with a problem (RFC 9457). */
  @Bean
  GlobalOpenApiCustomizer problemsInOpenApi() {
    return api -> {
      api.getComponents().addSchemas("Problem", problem());
      ApiResponse response =
          new ApiResponse()
              .description("A problem; its type is the address of a page that explains it")
              .content(
                  new Content()
                      .addMediaType(
                          org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                          new MediaType().schema(new Schema<>().$ref("Problem"))));
      for (Operation operation : operations(api)) {
        operation.getResponses().addApiResponse("default", response);
        if (operation.getParameters() != null) {
          operation.getParameters().forEach(each -> describe(each.getSchema()));
        }
      }
    };
  }

  /** A parameter may be absent, but not null; and what a list allows, its items allow. */
  private static void describe(Schema<?> parameter) {
    if (parameter.getTypes() != null) {
      Set<String> types = new LinkedHashSet<>(parameter.getTypes());
      types.remove("null");
      parameter.setTypes(types);
    }
    if (parameter.getItems() != null) {
      parameter.setEnum(null);
    }
  }

  private static List<Operation> operations(OpenAPI api) {
    return api.getPaths().values().stream()
        .flatMap(path -> path.readOperations().stream())
        .toList();
  }

  private static Schema<?> problem() {
    Schema<?> error =
        new ObjectSchema()
            .addProperty("parameter", new StringSchema())
            .addProperty("value", new StringSchema().description("absent where none was given"))
            .addProperty("detail", new StringSchema().description("what is wrong with it"))
            .addProperty(
                "allowed",
                new ArraySchema()
                    .items(new StringSchema())
                    .description("all that is allowed, where it can be listed"));
    return new ObjectSchema()
        .addProperty("type", new StringSchema().format("uri"))
        .addProperty("title", new StringSchema())
        .addProperty("status", new IntegerSchema())
        .addProperty("detail", new StringSchema())
        .addProperty("instance", new StringSchema().format("uri-reference"))
        .addProperty("code", new StringSchema().description("stable; the last part of type"))
        .addProperty("errors", new ArraySchema().items(error));
  }
}
