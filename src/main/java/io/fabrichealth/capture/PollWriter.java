package io.fabrichealth.capture;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes one batch. Readings may stand in any order there: they are sorted by port and signal. */
final class PollWriter {
  private static final double LARGEST_WHOLE = 0x1p53;
  private static final String NOT_FINITE = "not finite";

  private final JsonGenerator out;
  private final PollBatch batch;
  private final SignalDictionary dictionary;
  private final List<String> ports;

  /**
   * By reading: signal, element and the reading's place, so that their order is the one to write.
   */
  private final long[] sorted;

  /** Where the readings of a port begin in {@link #sorted}; one more than there are ports. */
  private final int[] starts;

  private boolean hasQuality;

  PollWriter(JsonGenerator out, PollBatch batch, SignalDictionary dictionary) {
    this.out = out;
    this.batch = batch;
    this.dictionary = dictionary;
    ports = batch.ports();
    sorted = new long[batch.size()];
    starts = new int[ports.size() + 1];
    sort();
  }

  private void sort() {
    for (int reading = 0; reading < batch.size(); reading++) {
      starts[batch.portIndex(reading) + 1]++;
      hasQuality |= quality(reading) != Quality.OK;
    }
    for (int port = 0; port < ports.size(); port++) {
      starts[port + 1] += starts[port];
    }
    int[] next = Arrays.copyOf(starts, starts.length);
    for (int reading = 0; reading < batch.size(); reading++) {
      sorted[next[batch.portIndex(reading)]++] =
          (long) batch.signal(reading) << 48 | (long) batch.element(reading) << 32 | reading;
    }
    for (int port = 0; port < ports.size(); port++) {
      Arrays.sort(sorted, starts[port], starts[port + 1]);
    }
  }

  void write() {
    out.writeStringProperty("at", batch.at().toString());
    out.writeStringProperty("device", batch.device());
    out.writeStringProperty("collector", batch.collector());
    if (batch.deviceTime() != null) {
      out.writeStringProperty("deviceTime", batch.deviceTime().toString());
    }
    if (batch.boot() != null) {
      out.writeStringProperty("boot", batch.boot());
    }
    out.writeBooleanProperty("complete", batch.complete());
    writeDiscontinuities();
    writeCounterBits();
    out.writeObjectPropertyStart("ports");
    for (int port = 0; port < ports.size(); port++) {
      if (!isDevice(port)) {
        writeReadings(ports.get(port), port);
      }
    }
    out.writeEndObject();
    int device = ports.indexOf(PollBatch.DEVICE);
    if (device >= 0) {
      writeReadings("values", device);
    }
    if (hasQuality) {
      writeQuality();
    }
  }

  private void writeDiscontinuities() {
    boolean begun = false;
    for (String port : ports) {
      String identity = batch.discontinuity(port);
      if (identity != null) {
        if (!begun) {
          out.writeObjectPropertyStart("discontinuity");
          begun = true;
        }
        out.writeStringProperty(port, identity);
      }
    }
    if (begun) {
      out.writeEndObject();
    }
  }

  private void writeCounterBits() {
    boolean begun = false;
    for (int signal = 0; signal < dictionary.size(); signal++) {
      int bits = batch.counterBits(signal);
      if (bits != 0) {
        if (!begun) {
          out.writeObjectPropertyStart("counterBits");
          begun = true;
        }
        out.writeNumberProperty(dictionary.signal(signal).id(), bits);
      }
    }
    if (begun) {
      out.writeEndObject();
    }
  }

  private boolean isDevice(int port) {
    return ports.get(port).equals(PollBatch.DEVICE);
  }

  private void writeReadings(String name, int port) {
    boolean ofDevice = isDevice(port);
    out.writeObjectPropertyStart(name);
    for (int from = starts[port]; from < starts[port + 1]; from = end(from, port)) {
      Signal signal = signal(from);
      if (!ReadingsReader.hasValues(ofDevice, signal)) {
        continue;
      }
      out.writeName(signal.id());
      if (ReadingsReader.isIndexed(signal)) {
        writeElements(from, end(from, port), this::writeValue);
      } else {
        writeValue(lastOf(from, end(from, port)));
      }
    }
    out.writeEndObject();
  }

  private void writeValue(int reading) {
    if (!quality(reading).hasValue() || quality(reading) == Quality.STALE) {
      out.writeNull();
    } else if (isCounter(reading)) {
      long raw = batch.raw(reading);
      if (raw >= 0) {
        out.writeNumber(raw);
      } else {
        out.writeNumber(new BigInteger(Long.toUnsignedString(raw)));
      }
    } else {
      double value = batch.value(reading);
      boolean whole = value == Math.rint(value) && Math.abs(value) <= LARGEST_WHOLE;
      // -0.0 would lose its sign as a whole number.
      if (whole && (value != 0 || Double.doubleToRawLongBits(value) == 0)) {
        out.writeNumber((long) value);
      } else {
        out.writeNumber(value);
      }
    }
  }

  /** What stands beside the values, by port and signal; nothing where no reading has it. */
  private void writeQuality() {
    out.writeObjectPropertyStart("quality");
    for (int port = 0; port < ports.size(); port++) {
      boolean begun = false;
      for (int from = starts[port]; from < starts[port + 1]; from = end(from, port)) {
        int end = end(from, port);
        if (hasAny(from, end) && ReadingsReader.hasQuality(isDevice(port), signal(from))) {
          if (!begun) {
            out.writeObjectPropertyStart(ports.get(port));
            begun = true;
          }
          out.writeName(signal(from).id());
          writeRemark(from, end);
        }
      }
      if (begun) {
        out.writeEndObject();
      }
    }
    out.writeEndObject();
  }

  private boolean hasAny(int from, int end) {
    for (int at = from; at < end; at++) {
      if (quality((int) sorted[at]) != Quality.OK) {
        return true;
      }
    }
    return false;
  }

  private void writeRemark(int from, int end) {
    String first = remark((int) sorted[from]);
    boolean same = element(end - 1) == end - 1 - from;
    for (int at = from; at < end; at++) {
      same &= Objects.equals(first, remark((int) sorted[at]));
    }
    if (!ReadingsReader.isIndexed(signal(from))) {
      out.writeString(remark(lastOf(from, end)));
    } else if (same) {
      out.writeString(first);
    } else {
      writeElements(from, end, reading -> out.writeString(remark(reading)));
    }
  }

  private interface ReadingWriter {
    void write(int reading);
  }

  /** An array from index 0; what was not read is null. */
  private void writeElements(int from, int end, ReadingWriter writer) {
    out.writeStartArray();
    int index = 0;
    for (int at = from; at < end; at++) {
      boolean again = at + 1 < end && element(at + 1) == element(at);
      if (again) {
        continue;
      }
      for (; index < element(at); index++) {
        out.writeNull();
      }
      writer.write((int) sorted[at]);
      index++;
    }
    out.writeEndArray();
  }

  /** A reading that stands there twice is what it was last. */
  private int lastOf(int from, int end) {
    int last = from;
    while (last + 1 < end && element(last + 1) == element(from)) {
      last++;
    }
    return (int) sorted[last];
  }

  /** Behind the last reading of the signal that begins there. */
  private int end(int from, int port) {
    int at = from + 1;
    while (at < starts[port + 1] && sorted[at] >>> 48 == sorted[from] >>> 48) {
      at++;
    }
    return at;
  }

  private Signal signal(int at) {
    return dictionary.signal((int) (sorted[at] >>> 48));
  }

  private int element(int at) {
    return (int) (sorted[at] >>> 32) & 0xFFFF;
  }

  private boolean isCounter(int reading) {
    return dictionary.signal(batch.signal(reading)).kind() == Signal.Kind.COUNTER;
  }

  /** JSON has no infinity: such a value is told as one that could not be read. */
  private boolean isInfinite(int reading) {
    return batch.quality(reading).hasValue()
        && !isCounter(reading)
        && Double.isInfinite(batch.value(reading));
  }

  private Quality quality(int reading) {
    return isInfinite(reading) ? Quality.UNREADABLE : batch.quality(reading);
  }

  /** {@code UNREADABLE(no light)}; null where there is nothing to say. */
  private @Nullable String remark(int reading) {
    Quality quality = quality(reading);
    if (quality == Quality.OK) {
      return null;
    }
    String reason = isInfinite(reading) ? NOT_FINITE : batch.reason(reading);
    return reason == null ? quality.name() : quality.name() + "(" + reason + ")";
  }
}
