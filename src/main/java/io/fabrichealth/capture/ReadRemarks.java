package io.fabrichealth.capture;

import io.fabrichealth.signal.Quality;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Quality and reasons of a poll by the key of their reading; few readings have any. */
final class ReadRemarks {
  private final Map<Long, Quality> qualities = new HashMap<>();
  private final Map<Long, String> reasons = new HashMap<>();
  private final Set<Long> taken = new HashSet<>();

  /** Takes what is said of a reading that does not occur. */
  interface NotTaken {
    void take(long key, Quality quality);
  }

  /** The quality of that name; null where there is none. */
  static @Nullable Quality quality(String name) {
    for (Quality quality : Quality.values()) {
      if (quality.name().equals(name)) {
        return quality;
      }
    }
    return null;
  }

  void quality(long key, Quality quality) {
    qualities.put(key, quality);
  }

  void reason(long key, String text) {
    reasons.put(key, text);
  }

  /** The quality of a reading that occurs. */
  Quality take(long key) {
    if (qualities.isEmpty()) {
      return Quality.OK;
    }
    Quality own = qualities.get(key);
    long found = own == null ? ReadColumns.whole(key) : key;
    Quality quality = qualities.get(found);
    if (quality == null) {
      return Quality.OK;
    }
    taken.add(found);
    return quality;
  }

  @Nullable String reason(long key) {
    String own = reasons.get(key);
    return own == null ? reasons.get(ReadColumns.whole(key)) : own;
  }

  /** A quality without a value beside it is a reading too: one that says why there is no value. */
  void forEachNotTaken(NotTaken taker) {
    qualities.forEach(
        (key, quality) -> {
          boolean isWhole = key == ReadColumns.whole(key);
          if (!taken.contains(key) && (!quality.hasValue() || quality == Quality.STALE)) {
            taker.take(isWhole ? key & ~0xFFFFL : key, quality);
          }
        });
  }
}
