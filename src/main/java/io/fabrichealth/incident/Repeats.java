package io.fabrichealth.incident;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Earlier incidents of the same subject, in the {@value #DAYS} days before this one opened.
 *
 * @param count 0 where it is the first
 * @param lastResolvedAt when the latest of them ended; null where there was none
 */
public record Repeats(int count, @Nullable Instant lastResolvedAt) {
  public static final int DAYS = 30;

  public static final Repeats NONE = new Repeats(0, null);
}
