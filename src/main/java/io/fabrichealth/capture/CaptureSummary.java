package io.fabrichealth.capture;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a reading of a capture came to.
 *
 * @param lines lines so far, the first one among them
 * @param records records by type that became inputs
 * @param passedOver records by type that are known or of a newer writer, and no input yet
 * @param unusable lines that could not be read
 * @param firstUnusable the first of them
 * @param refusedValues values within records that could not be used; the rest of their record was
 * @param firstRefused the first of them
 * @param outOfOrder records that were older than one before them
 * @param brokenOff why the file ended before its end; null where it did not
 */
public record CaptureSummary(
    long lines,
    Map<String, Long> records,
    Map<String, Long> passedOver,
    long unusable,
    List<BadLine> firstUnusable,
    long refusedValues,
    List<BadLine> firstRefused,
    long outOfOrder,
    @Nullable String brokenOff) {
  private static final double MOST_UNUSABLE = 0.01;

  public CaptureSummary {
    records = Map.copyOf(records);
    passedOver = Map.copyOf(passedOver);
    firstUnusable = List.copyOf(firstUnusable);
    firstRefused = List.copyOf(firstRefused);
  }

  /**
   * A line, or something in it.
   *
   * @param line from 1
   */
  public record BadLine(long line, String problem) {
    @Override
    public String toString() {
      return "line " + line + ": " + problem;
    }
  }

  /** Records that became inputs. */
  public long inputs() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether so much of the file is missing that what follows from it is to be doubted. */
  public boolean isDamaged() {
    return brokenOff != null || unusable > lines * MOST_UNUSABLE;
  }
}
