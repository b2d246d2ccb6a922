/** A simulated fabric that speaks the real protocols. Shares no formula with detection. */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"capture", "collective", "engine", "latency", "signal", "topology"})
package io.fabrichealth.simulate;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
