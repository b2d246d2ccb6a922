/** Reads what tools of latency print: ping, fping, perftest and OSU's. */
@NullMarked
@NamedInterface("probes")
package io.fabrichealth.collect.probes;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
