/** The life of a fault: opened, acknowledged, resolved. */
@NullMarked
@ApplicationModule(allowedDependencies = {"verdict", "finding"})
package io.fabrichealth.incident;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
