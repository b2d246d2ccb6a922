/** Tables of incidents. */
@NullMarked
package io.fabrichealth.incident.internal;

import org.jspecify.annotations.NullMarked;
