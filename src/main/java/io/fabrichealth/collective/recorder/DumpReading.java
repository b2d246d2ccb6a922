package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * What could be read of a dump.
 *
 * @param skipped entries that were there and are not in the recorder
 * @param reason what is missing and why, with the byte; null where nothing is
 */
public record DumpReading(FlightRecorder recorder, long skipped, @Nullable String reason) {}
