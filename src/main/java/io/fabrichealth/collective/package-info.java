/** What jobs tell of their collectives: who waits, for whom, and how long it takes. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"finding", "topology"})
package io.fabrichealth.collective;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
