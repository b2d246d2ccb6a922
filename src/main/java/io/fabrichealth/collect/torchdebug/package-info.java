/** Asks the ranks of running jobs, by PyTorch's debug server, how far they have come. */
@NullMarked
@NamedInterface("torchdebug")
package io.fabrichealth.collect.torchdebug;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
