/** Scrapes exporters in the text exposition format. */
@NullMarked
@NamedInterface("prometheus")
package io.fabrichealth.collect.prometheus;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
