/** The capture format: what the engine sees, as text. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"engine", "collective", "latency", "finding", "signal", "topology"})
package io.fabrichealth.capture;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
