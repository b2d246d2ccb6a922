/** What a detector says: subject, cause, evidence. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"topology"})
package io.fabrichealth.finding;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
