/** Mathematics of forward error correction: from error ratios to lost codewords and back. */
@NullMarked
package io.fabrichealth.detect.fec;

import org.jspecify.annotations.NullMarked;
