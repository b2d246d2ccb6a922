/** The signal dictionary, readings and what they became between two polls. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"topology"})
package io.fabrichealth.signal;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
