package io.fabrichealth.collect.push;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.testing.WriteRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A receiver, and what came out of it. */
final class Pushed implements AutoCloseable {
  static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  static final MetricMapping MAPPING = MetricMapping.load(DICTIONARY);
  static final Instant NOW = Instant.parse("2026-03-01T00:10:00Z");
  static final long MILLIS = NOW.toEpochMilli();

  final List<CollectOutcome> outcomes = new ArrayList<>();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final PushReceiver receiver;
  boolean full;

  Pushed() {
    this(Scrapes.QUIET, Scrapes.MOST_WAITING);
  }

  Pushed(Duration quiet, int mostWaiting) {
    receiver =
        new PushReceiver(MAPPING, quiet, mostWaiting, InstantSource.fixed(NOW), this::take, meters);
  }

  private synchronized boolean take(CollectOutcome outcome) {
    return !full && outcomes.add(outcome);
  }

  void write(WriteRequest request) {
    try {
      write(WriteRequest.MEDIA_TYPE, "snappy", request.body());
    } catch (PushException e) {
      throw new AssertionError(e.code() + " " + e.getMessage(), e);
    }
  }

  void write(String type, String encoding, byte[] body) throws PushException {
    try {
      receiver.remoteWrite(type, encoding, new ByteArrayInputStream(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] otlp(OtlpRequest request) {
    try {
      return otlp(OtlpEncoding.PROTOBUF, "", request.message().toByteArray());
    } catch (PushException e) {
      throw new AssertionError(e.code() + " " + e.getMessage(), e);
    }
  }

  byte[] otlp(OtlpEncoding encoding, String packed, byte[] body) throws PushException {
    try {
      return receiver.otlp(encoding, packed, new ByteArrayInputStream(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line a reading of the batch of that number. */
  List<String> readings(int outcome) {
    return Batches.lines(batch(outcome), DICTIONARY);
  }

  PollBatch batch(int outcome) {
    return outcomes.get(outcome).batch();
  }

  double refused(Refusal why) {
    return meters.get("fabric.health.push.refused").tag("reason", why.tag()).counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  @Override
  public void close() {
    receiver.close();
  }
}
