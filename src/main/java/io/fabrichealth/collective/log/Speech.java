package io.fabrichealth.collective.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who said something, and when.
 *
 * @param time by the clock of whoever kept the log; null where lines have none
 * @param clock the time in the message itself, without year: {@code 1130 06:21:58.500}; empty where
 *     there is none
 * @param line from 1
 */
record Speech(Speaker speaker, @Nullable Instant time, String clock, long line) {}
