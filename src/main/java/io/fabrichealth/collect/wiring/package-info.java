/** Reads what others know of the wiring: cabling plans, inventories, output of LLDP tools. */
@NullMarked
@NamedInterface("wiring")
package io.fabrichealth.collect.wiring;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
