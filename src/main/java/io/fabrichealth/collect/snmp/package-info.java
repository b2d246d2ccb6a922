/** Reads switches over SNMP v2c and v3. */
@NullMarked
@NamedInterface("snmp")
package io.fabrichealth.collect.snmp;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
