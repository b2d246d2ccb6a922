package io.fabrichealth.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes pickles as PyTorch's own pickler does (protocol 2; strings are remembered when they are
 * first written, lists and dicts are not), of maps, lists, tuples ({@code Object[]}), numbers,
 * truth values and null.
 */
public final class PickleWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<Object, Integer> memo = new HashMap<>();

  /** A value that is written once and then called for by its number, as stack frames are. */
  public record Remembered(Object value) {}

  public PickleWriter() {
    out.write(0x80);
    out.write(2);
  }

  public static byte[] pickle(Object value) {
    return new PickleWriter().value(value).stop();
  }

  /** Any of the opcodes, as it is. */
  public PickleWriter raw(int... bytes) {
    for (int each : bytes) {
      out.write(each);
    }
    return this;
  }

  /** The bytes of a text, without opcode and length. */
  public PickleWriter text(String bytes) {
    out.writeBytes(bytes.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  public PickleWriter value(Object value) {
    switch (value) {
      case null -> out.write('N');
      case Boolean is -> out.write(is ? 0x88 : 0x89);
      case String text -> string(text);
      case Integer number -> integer(number);
      case Long number -> integer(number);
      case Double number -> {
        out.write('G');
        bigEndian(Double.doubleToRawLongBits(number));
      }
      case Remembered remembered -> {
        Integer known = memo.get(remembered);
        if (known == null) {
          value(remembered.value());
          memo.put(remembered, memo.size());
          memo('q', 'r', memo.size() - 1);
        } else {
          memo('h', 'j', known);
        }
      }
      case Map<?, ?> map -> {
        raw('}', '(');
        map.forEach((key, each) -> value(key).value(each));
        out.write('u');
      }
      case List<?> list -> {
        raw(']', '(');
        list.forEach(this::value);
        out.write('e');
      }
      case Object[] pair -> {
        for (Object each : pair) {
          value(each);
        }
        out.write(0x84 + pair.length);
      }
      default -> throw new IllegalArgumentException("no opcode for " + value.getClass());
    }
    return this;
  }

  public byte[] stop() {
    out.write('.');
    return out.toByteArray();
  }

  /** What was written up to now, without STOP. */
  public byte[] cutOff() {
    return out.toByteArray();
  }

  private void string(String text) {
    Integer known = memo.putIfAbsent(text, memo.size());
    if (known != null) {
      memo('h', 'j', known);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write('X');
    littleEndian(bytes.length, 4);
    out.writeBytes(bytes);
    memo('q', 'r', memo.size() - 1);
  }

  private void memo(int small, int large, int number) {
    if (number < 256) {
      raw(small, number);
    } else {
      out.write(large);
      littleEndian(number, 4);
    }
  }

  private void integer(long number) {
    if (number >= 0 && number < 256) {
      raw('K', (int) number);
    } else if (number >= 0 && number < 65_536) {
      out.write('M');
      littleEndian(number, 2);
    } else if (number == (int) number) {
      out.write('J');
      littleEndian(number, 4);
    } else {
      raw(0x8a, 8);
      littleEndian(number, 8);
    }
  }

  private void littleEndian(long number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (number >>> (8 * i)));
    }
  }

  private void bigEndian(long number) {
    for (int i = 7; i >= 0; i--) {
      out.write((int) (number >>> (8 * i)));
    }
  }
}
