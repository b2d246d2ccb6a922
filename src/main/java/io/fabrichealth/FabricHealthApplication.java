package io.fabrichealth;

import io.fabrichealth.cli.FabricHealthCommand;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The one program: a command line whose first command is the service. */
@SpringBootApplication
public class FabricHealthApplication {

  public static void main(String[] args) {
    int exitCode = FabricHealthCommand.run(FabricHealthApplication.class, args);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
    // At 0 a service that was started goes on in its own threads; other commands are done.
  }
}
