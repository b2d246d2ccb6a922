/** Fabric Health: finds the links of a GPU fabric that are silently degraded. */
@NullMarked
package io.fabrichealth;

import org.jspecify.annotations.NullMarked;
