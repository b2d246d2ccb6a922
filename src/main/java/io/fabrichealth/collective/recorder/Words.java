package io.fabrichealth.collective.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The distinct strings of a pickle, numbered; they stay bytes until somebody wants the text. */
final class Words {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LONGEST_KEY = 32;
  private static final byte NO_FIELD = -1;
  private static final Field[] FIELDS = Field.values();

  private final HashIndex index = new HashIndex();
  private byte[] bytes = new byte[0];
  private int[] offsets = new int[256];
  private int[] lengths = new int[256];
  private byte[] fields = new byte[256];
  private @Nullable String[] texts = new String[256];
  private int size;

  void begin(byte[] of) {
    bytes = of;
    index.clear();
    Arrays.fill(texts, 0, size, null);
    size = 0;
  }

  /** The number of the word at these bytes. */
  int of(int offset, int length) throws UnreadableDumpException {
    int found = index.find(hash(offset, length));
    if (found >= 0) {
      return found;
    }
    if (size == offsets.length) {
      grow();
    }
    int word = size++;
    offsets[word] = offset;
    lengths[word] = length;
    Field field = length > LONGEST_KEY ? null : Field.of(text(word));
    fields[word] = field == null ? NO_FIELD : (byte) field.ordinal();
    return word;
  }

  String text(int word) {
    String text = texts[word];
    if (text == null) {
      text = new String(bytes, offsets[word], lengths[word], StandardCharsets.UTF_8);
      texts[word] = text;
    }
    return text;
  }

  /** Ordinal of the field that the word is the key of; -1 where of none. */
  int fieldOrdinal(int word) {
    return fields[word];
  }

  @Nullable Field field(int word) {
    return fields[word] < 0 ? null : FIELDS[fields[word]];
  }

  private long hash(int offset, int length) {
    long hash = HashIndex.mix(0x9e3779b97f4a7c15L, length);
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = HashIndex.fold(hash, (long) LONG.get(bytes, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << 8 | (bytes[at] & 0xff);
    }
    return HashIndex.mix(hash, rest);
  }

  private void grow() {
    int longer = size * 2;
    offsets = Arrays.copyOf(offsets, longer);
    lengths = Arrays.copyOf(lengths, longer);
    fields = Arrays.copyOf(fields, longer);
    texts = Arrays.copyOf(texts, longer);
  }
}
