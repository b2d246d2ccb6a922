/** The mathematics of rare events and changes, on primitives. Pure. */
@NullMarked
package io.fabrichealth.detect.statistics;

import org.jspecify.annotations.NullMarked;
