/**
 * Reads PyTorch's flight recorder dumps: bytes in, columns out. A pickle can name code that its
 * reader then runs, so that only the opcodes of plain data are read here, and everything else is
 * refused. Pure.
 */
@NullMarked
@NamedInterface("recorder")
package io.fabrichealth.collective.recorder;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
