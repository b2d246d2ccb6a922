/** The live loop: collect, step the engine, publish snapshots, keep incidents. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "capture",
      "collect",
      "collect :: *",
      "collective",
      "collective :: *",
      "store",
      "engine",
      "verdict",
      "detect",
      "latency",
      "finding",
      "signal",
      "topology",
      "incident",
      "maintenance",
      "notify",
      "simulate"
    })
package io.fabrichealth.runtime;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
