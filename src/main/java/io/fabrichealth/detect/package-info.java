/** Detectors, one file each: from signals to findings. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"finding", "signal", "topology"})
package io.fabrichealth.detect;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
