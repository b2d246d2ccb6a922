/** Reads switches over gNMI. */
@NullMarked
@NamedInterface("gnmi")
package io.fabrichealth.collect.gnmi;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
