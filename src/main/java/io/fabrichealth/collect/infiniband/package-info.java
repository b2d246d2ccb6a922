/** Reads an InfiniBand subnet with the tools of infiniband-diags. */
@NullMarked
@NamedInterface("infiniband")
package io.fabrichealth.collect.infiniband;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
