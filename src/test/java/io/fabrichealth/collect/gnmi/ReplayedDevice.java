package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a device would have sent, read without a network. */
final class ReplayedDevice {
  private static final ProfileLoader PROFILES = ProfileLoader.shipped(Readings.DICTIONARY);

  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  final DeviceReader reader;
  private Instant now = NOW;

  ReplayedDevice(String profile) {
    this(PROFILES.profile(profile));
  }

  ReplayedDevice(Profile profile) {
    reader =
        new DeviceReader(
            new GnmiTarget(
                "leaf1",
                Role.LEAF,
                "198.18.0.11",
                9339,
                profile.name(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                null,
                null),
            profile,
            Readings.DICTIONARY);
  }

  ReplayedDevice send(Notification.Builder notification) {
    if (notification.getTimestamp() == 0) {
      notification.setTimestamp(GnmiCollector.nanos(now));
    }
    reader.take(notification.build(), System.nanoTime(), GnmiCollector.nanos(now));
    return this;
  }

  ReplayedDevice send(String path, TypedValue value) {
    return send(Notification.newBuilder().addUpdate(update(path, value)));
  }

  ReplayedDevice sendJson(String path, String json) {
    return send(path, json(json));
  }

  ReplayedDevice delete(String path) {
    return send(Notification.newBuilder().addDelete(LeafTree.path(path)));
  }

  static Update update(String path, TypedValue value) {
    return Update.newBuilder().setPath(LeafTree.path(path)).setVal(value).build();
  }

  static TypedValue json(String text) {
    return TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFromUtf8(text)).build();
  }

  /** A pass, ten seconds after the one before. */
  CollectOutcome pass() {
    now = now.plusSeconds(10);
    return reader.outcome(now, true, List.of(), null);
  }

  Readings readings() {
    return new Readings(pass().batch());
  }
}
