/** REST under /api/v1. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "runtime",
      "incident",
      "collect",
      "collect :: probes",
      "collect :: push",
      "collect :: torchdebug",
      "capture",
      "collective",
      "store",
      "verdict",
      "engine",
      "finding",
      "latency",
      "signal",
      "topology"
    })
package io.fabrichealth.api;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
