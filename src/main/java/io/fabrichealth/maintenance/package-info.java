/** Work that was announced: what is expected while it goes on. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"incident", "finding", "topology"})
package io.fabrichealth.maintenance;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
