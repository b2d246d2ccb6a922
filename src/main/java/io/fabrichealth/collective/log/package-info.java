/** What a job printed: its own log, NCCL's, and the tables of nccl-tests. Text to facts. Pure. */
@NullMarked
@NamedInterface("log")
package io.fabrichealth.collective.log;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
