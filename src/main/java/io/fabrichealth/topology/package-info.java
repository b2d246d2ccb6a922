/** What is wired to what: devices, ports, links, rails and tiers as immutable snapshots. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.fabrichealth.topology;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
