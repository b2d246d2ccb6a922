/**
 * A fabric in virtual time that writes what a site's collectors would bring, and the truth beside
 * it: {@link Simulation} is the door. Counters come from the physics; of the engine only its inputs
 * are known here.
 */
@NullMarked
@NamedInterface("world")
package io.fabrichealth.simulate.world;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
