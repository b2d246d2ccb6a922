package io.fabrichealth.collect.gnmi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Texts that a device told of one thing, by what they are. */
final class Facts {
  private final @Nullable String[] texts = new @Nullable String[FactKind.count()];
  private final long[] heard = new long[FactKind.count()];

  @Nullable String get(FactKind kind) {
    return texts[kind.ordinal()];
  }

  String get(FactKind kind, String otherwise) {
    String text = get(kind);
    return text == null ? otherwise : text;
  }

  void set(FactKind kind, @Nullable String text, long nanos) {
    texts[kind.ordinal()] = text;
    heard[kind.ordinal()] = nanos;
  }

  /** Takes away what was not heard of since then. */
  void sweep(long since) {
    for (int kind = 0; kind < texts.length; kind++) {
      if (texts[kind] != null && heard[kind] - since < 0) {
        texts[kind] = null;
      }
    }
  }

  boolean isEmpty() {
    return Arrays.stream(texts).allMatch(text -> text == null);
  }
}
