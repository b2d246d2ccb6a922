/** The fabric as Prometheus metrics, from immutable snapshots. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {
      "runtime",
      "incident",
      "collect",
      "verdict",
      "finding",
      "signal",
      "topology"
    })
package io.fabrichealth.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
