/** Tables of what the pure packages know: inventory, jobs and engine snapshots. */
@NullMarked
@ApplicationModule(allowedDependencies = {"topology"})
package io.fabrichealth.store;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
