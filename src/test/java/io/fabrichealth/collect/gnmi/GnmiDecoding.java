package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.SubscribeResponse;
import com.google.protobuf.InvalidProtocolBufferException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What the collector does with the bytes of messages, without a network; for benchmarks. */
public final class GnmiDecoding {
  private final SignalDictionary dictionary = SignalCatalogue.load();
  private final DeviceReader reader;

  public GnmiDecoding(String profile) {
    reader =
        new DeviceReader(
            new GnmiTarget(
                "leaf1",
                Role.LEAF,
                "198.18.0.11",
                9339,
                profile,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                null,
                null),
            ProfileLoader.shipped(dictionary).profile(profile),
            dictionary);
  }

  public SignalDictionary dictionary() {
    return dictionary;
  }

  /** A message as it comes from the wire. */
  public void take(byte[] message, Instant at) {
    try {
      reader.take(
          SubscribeResponse.parseFrom(message).getUpdate(),
          System.nanoTime(),
          GnmiCollector.nanos(at));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public CollectOutcome pass(Instant at) {
    return reader.outcome(at, true, List.of(), null);
  }
}
