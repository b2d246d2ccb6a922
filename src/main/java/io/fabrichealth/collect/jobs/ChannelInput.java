package io.fabrichealth.collect.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** Reads a channel from where it stands; its owner closes it. */
final class ChannelInput extends InputStream {
  private final SeekableByteChannel channel;

  ChannelInput(SeekableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    return length == 0 ? 0 : channel.read(ByteBuffer.wrap(bytes, from, length));
  }
}
