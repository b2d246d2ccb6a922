/** Latency and loss between pairs of endpoints. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"finding", "topology"})
package io.fabrichealth.latency;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
