/** The whole of detection as one pure function over the records of a capture. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "verdict",
      "detect",
      "latency",
      "collective",
      "finding",
      "signal",
      "topology"
    })
package io.fabrichealth.engine;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
