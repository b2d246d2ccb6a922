package io.fabrichealth.collect.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Counts what is unpacked, and refuses an archive that is a bomb: Deflate can make 1,032 bytes of
 * one, and no dump or log comes near half of that.
 */
final class BoundedInput extends CountedInput {
  private static final long MOST_RATIO = 500;
  private static final long ANY_RATIO_BYTES = 64L << 20;

  private final LongSupplier packed;
  private final AtomicLong total;
  private final long most;

  /**
   * @param packed bytes of the packed form that were used up to now
   * @param total of all files
   * @param most that the total may be
   */
  BoundedInput(InputStream in, LongSupplier packed, AtomicLong total, long most) {
    super(in);
    this.packed = packed;
    this.total = total;
    this.most = most;
  }

  @Override
  void add(long bytes) throws IOException {
    super.add(bytes);
    if (total.addAndGet(bytes) > most) {
      throw new RefusedException("all files together are larger than %,d bytes".formatted(most));
    }
    if (count() > ANY_RATIO_BYTES && count() / MOST_RATIO > packed.getAsLong()) {
      throw new RefusedException(
          "it unpacks to more than %,d times its size".formatted(MOST_RATIO));
    }
  }
}
