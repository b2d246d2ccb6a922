package io.fabrichealth.signal;

import org.jspecify.annotations.Nullable;

/**
 * What has to outlive a restart so that the first poll after it yields growth: the last value of
 * each counter of a port, when it was read, and its total so far. Columns of one length.
 *
 * @param lastNanos device time in nanoseconds since 1970
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
public record PortBaselines(
    String port,
    @Nullable String discontinuity,
    String[] signals,
    int[] elements,
    long[] last,
    long[] lastNanos,
    long[] totals) {}
