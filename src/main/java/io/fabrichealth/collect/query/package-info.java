/** Reads a Prometheus that scrapes exporters already. */
@NullMarked
@NamedInterface("query")
package io.fabrichealth.collect.query;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
