package io.fabrichealth.collect.push;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.fabrichealth.collect.scrape.SeriesLabels;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes {@code prometheus.WriteRequest} of remote-write 1.0 from front to back, without an object
 * per series or sample. Metadata, exemplars and fields it does not know are passed over. Not for
 * use by several threads.
 *
 * @see <a href="https://prometheus.io/docs/specs/prw/remote_write_spec/">Remote-Write 1.0</a>
 */
final class RemoteWriteDecoder {
  private static final int SERIES = 1;
  private static final int LABELS = 1;
  private static final int SAMPLES = 2;
  private static final int HISTOGRAMS = 4;
  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int SAMPLE_VALUE = 1;
  private static final int SAMPLE_TIME = 2;

  private final SeriesLabels labels = new SeriesLabels();

  // The samples of a series wait here for its labels: fields may come in any order.
  private long[] values = new long[16];
  private long[] times = new long[16];
  private int samples;
  private int histograms;
  private boolean tooManyLabels;
  private long value;
  private long time;
  private int from;
  private int to;

  /**
   * Decodes a message.
   *
   * @throws InvalidProtocolBufferException where it is none; what came before is taken
   */
  void decode(byte[] message, int length, SeriesListener listener)
      throws InvalidProtocolBufferException {
    CodedInputStream in = CodedInputStream.newInstance(message, 0, length);
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (isMessage(tag, SERIES)) {
          int limit = in.pushLimit(in.readRawVarint32());
          readSeries(in, message);
          in.popLimit(limit);
          tell(listener);
        } else {
          skip(in, tag);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidProtocolBufferException(e);
    }
  }

  private static boolean isMessage(int tag, int field) {
    return tag == (field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
  }

  private static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("a group ends that did not begin");
    }
  }

  private void readSeries(CodedInputStream in, byte[] message) throws IOException {
    labels.begin(message);
    samples = 0;
    histograms = 0;
    tooManyLabels = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (isMessage(tag, LABELS)) {
        readLabel(in);
      } else if (isMessage(tag, SAMPLES)) {
        readSample(in);
      } else {
        histograms += isMessage(tag, HISTOGRAMS) ? 1 : 0;
        skip(in, tag);
      }
    }
  }

  private void readLabel(CodedInputStream in) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    int nameFrom = 0;
    int nameTo = 0;
    int valueFrom = 0;
    int valueTo = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (isMessage(tag, NAME)) {
        readPlace(in);
        nameFrom = from;
        nameTo = to;
      } else if (isMessage(tag, VALUE)) {
        readPlace(in);
        valueFrom = from;
        valueTo = to;
      } else {
        skip(in, tag);
      }
    }
    in.popLimit(limit);
    tooManyLabels |= !labels.add(nameFrom, nameTo, valueFrom, valueTo);
  }

  private void readPlace(CodedInputStream in) throws IOException {
    int length = in.readRawVarint32();
    from = in.getTotalBytesRead();
    in.skipRawBytes(length);
    to = in.getTotalBytesRead();
  }

  private void readSample(CodedInputStream in) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    value = 0;
    time = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == (SAMPLE_VALUE << 3 | WireFormat.WIRETYPE_FIXED64)) {
        value = in.readRawLittleEndian64();
      } else if (tag == (SAMPLE_TIME << 3 | WireFormat.WIRETYPE_VARINT)) {
        time = in.readRawVarint64();
      } else {
        skip(in, tag);
      }
    }
    in.popLimit(limit);
    if (samples == values.length) {
      values = Arrays.copyOf(values, samples * 2);
      times = Arrays.copyOf(times, samples * 2);
    }
    values[samples] = value;
    times[samples] = time;
    samples++;
  }

  private void tell(SeriesListener listener) {
    if (histograms > 0) {
      listener.refused(Refusal.TYPE, histograms);
    }
    if (tooManyLabels) {
      listener.refused(Refusal.LABELS, samples);
    } else if (samples > 0 && listener.series(labels, samples)) {
      for (int sample = 0; sample < samples; sample++) {
        listener.sample(values[sample], times[sample]);
      }
    }
  }
}
