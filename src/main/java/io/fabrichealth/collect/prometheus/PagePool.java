package io.fabrichealth.collect.prometheus;

import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Buffers that wait for their next use: as many as scrapes ran at once lately, within limits. */
final class PagePool {
  private static final int MOST_IDLE = 32;

  private final MetricMapping mapping;
  private final ArrayBlockingQueue<Page> idle = new ArrayBlockingQueue<>(MOST_IDLE);

  PagePool(MetricMapping mapping) {
    this.mapping = mapping;
  }

  Page take() {
    @Nullable Page page = idle.poll();
    return page == null ? new Page(mapping) : page;
  }

  /** Keeps the page for the next; beyond the limits it is left to the garbage collector. */
  void giveBack(Page page) {
    if (!page.table().isLarge()) {
      boolean _ = idle.offer(page);
    }
  }
}
