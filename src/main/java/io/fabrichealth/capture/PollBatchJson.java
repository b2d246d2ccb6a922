package io.fabrichealth.capture;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A {@link PollBatch} as the {@code poll} record of the capture format. Counters are exact unsigned
 * 64-bit integers both ways, {@code null} means not read.
 *
 * <p>Beside the fields of the format there is {@code counterBits}, the widths that this device
 * gives its counters ({@code {"port.in_errors":32}}). May be used by several threads.
 */
public final class PollBatchJson {
  private final SignalDictionary dictionary;

  public PollBatchJson(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** The dictionary whose ordinals the batches hold. */
  public SignalDictionary dictionary() {
    return dictionary;
  }

  /** Writes the batch as an object without {@code type}. */
  public void write(JsonGenerator out, PollBatch batch) {
    out.writeStartObject();
    writeFields(out, batch);
    out.writeEndObject();
  }

  /** Writes the fields of the batch, from {@code at} on, into an object that is begun. */
  public void writeFields(JsonGenerator out, PollBatch batch) {
    new PollWriter(out, batch, dictionary).write();
  }

  /**
   * Reads one object. A {@code type} is passed over; readings that cannot be used are left out and
   * stand in {@link PollRead#refusals}.
   *
   * @param in before the object or at its start; afterwards at its end, also where an {@link
   *     InvalidPollException} is thrown, so that the next one can be read
   * @throws InvalidPollException where the object is no poll: the fields that make a batch are not
   *     what they should be
   * @throws tools.jackson.core.JacksonException where it is no JSON, or ends early
   */
  public PollRead read(JsonParser in) throws InvalidPollException {
    if (in.currentToken() == null) {
      in.nextToken();
    }
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      throw new InvalidPollException("", null, "an object");
    }
    return new PollReader(in, dictionary).read();
  }
}
