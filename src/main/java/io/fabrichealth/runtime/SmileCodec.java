package io.fabrichealth.runtime;

import io.fabrichealth.engine.StateCodec;
import tools.jackson.dataformat.smile.SmileMapper;

/** Stored engine state as Smile, the binary form of JSON: compact, and tolerant of added fields. */
final class SmileCodec implements StateCodec {
  private final SmileMapper mapper = SmileMapper.builder().build();

  @Override
  public byte[] encode(Object state) {
    return mapper.writeValueAsBytes(state);
  }

  @Override
  public <S> S decode(byte[] bytes, Class<S> type) {
    return mapper.readValue(bytes, type);
  }
}
