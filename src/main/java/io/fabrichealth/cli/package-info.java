/** The command line, one file a command. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "runtime",
      "capture",
      "collect",
      "collect :: *",
      "collective",
      "collective :: *",
      "engine",
      "incident",
      "finding",
      "signal",
      "simulate",
      "simulate :: world",
      "topology"
    })
package io.fabrichealth.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
