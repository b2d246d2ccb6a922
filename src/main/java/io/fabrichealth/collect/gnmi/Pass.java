package io.fabrichealth.collect.gnmi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a pass over the cache is made.
 *
 * @param lastNanos the pass before, by {@link System#nanoTime}: a sampled counter that was not
 *     heard of since then says nothing new
 * @param staleNanos what was heard of before that is stale, where it is sampled
 * @param synced whether the device told all that it has: only then is what lacks absent
 * @param deviceTime null where the device gives none
 */
record Pass(
    Instant at, long lastNanos, long staleNanos, boolean synced, @Nullable Instant deviceTime) {}
