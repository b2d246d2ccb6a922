/** Reads devices; one folder a source. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "collective",
      "collective::*",
      "engine",
      "finding",
      "latency",
      "signal",
      "topology"
    })
package io.fabrichealth.collect;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
