/** From findings to one verdict a subject, with its evidence. Pure. */
@NullMarked
@ApplicationModule(allowedDependencies = {"finding", "topology"})
package io.fabrichealth.verdict;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
