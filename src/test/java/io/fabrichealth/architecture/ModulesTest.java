package io.fabrichealth.architecture;

import io.fabrichealth.FabricHealthApplication;
import io.fabrichealth.testing.GeneratedPart;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModule;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.modulith.core.DependencyDepth;

class ModulesTest {
  private final ApplicationModules modules = ApplicationModules.of(FabricHealthApplication.class);

  @Test
  void modules_use_only_what_their_package_info_allows() {
    modules.verify();
  }

  @Test
  void the_picture_of_the_modules_is_that_of_the_code() {
    String edges =
        modules.stream()
            .sorted()
            .map(this::edges)
            .filter(lines -> !lines.isEmpty())
            .collect(Collectors.joining("\n"));

    GeneratedPart.of(Path.of("docs/explanation/architecture.md"), "modules")
        .assertIs("```mermaid\nflowchart LR\n" + edges + "\n```");
  }

  private String edges(ApplicationModule module) {
    return module
        .getDependencies(modules, DependencyDepth.IMMEDIATE)
        .uniqueModules()
        .map(used -> "  " + module.getIdentifier() + " --> " + used.getIdentifier())
        .sorted()
        .collect(Collectors.joining("\n"));
  }
}
