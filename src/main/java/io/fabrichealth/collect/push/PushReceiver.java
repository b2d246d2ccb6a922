package io.fabrichealth.collect.push;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.push.PushException.Code;
import io.fabrichealth.signal.SignalDictionary;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in samples that others push, and hands on what scraping would have brought. Thread-safe.
 * Counts all in the metrics {@code fabric.health.push}.
 */
public final class PushReceiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PushReceiver.class);
  private static final long LOOK_EVERY_MILLIS = 500;

  /** Requests whose bodies are in memory at once. */
  private static final int MOST_BODIES = 8;

  private final PushSettings settings;
  private final RemoteWriteReceiver remoteWrite;
  private final OtlpReceiver otlp;
  private final Counter faults;
  private final Semaphore bodies = new Semaphore(MOST_BODIES);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("push").factory());

  /**
   * @param sink takes an outcome; false where it has no room now
   */
  public PushReceiver(
      PushSettings settings,
      SignalDictionary dictionary,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    this(settings, MetricMapping.load(dictionary), clock, sink, meters);
  }

  PushReceiver(
      PushSettings settings,
      MetricMapping mapping,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    this.settings = settings;
    remoteWrite = new RemoteWriteReceiver(settings, mapping, clock, sink, meters);
    otlp = new OtlpReceiver(settings, mapping, clock, sink, meters);
    faults =
        Counter.builder("fabric.health.push.faults")
            .description("Times that putting scrapes together failed by a fault of the service")
            .register(meters);
    timer.scheduleWithFixedDelay(
        this::endQuiet, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Takes a request of Prometheus remote-write 1.0.
   *
   * @param contentType as the header has it; empty where there is none
   * @param contentEncoding as the header has it; empty where there is none
   * @throws PushException where it is not taken, or only up to where it is broken
   * @throws IOException where the body does not come in whole; nothing of it was taken
   */
  public void remoteWrite(String contentType, String contentEncoding, InputStream body)
      throws PushException, IOException {
    RemoteWriteReceiver.checkType(contentType);
    hold();
    try {
      remoteWrite.take(Compression.of(contentEncoding), read(body));
    } finally {
      bodies.release();
    }
  }

  /**
   * Takes a request of OTLP/HTTP metrics.
   *
   * @param contentEncoding as the header has it; empty where there is none
   * @return the body of the answer, in the encoding of the request
   * @throws PushException where it is not taken
   * @throws IOException where the body does not come in whole; nothing of it was taken
   */
  public byte[] otlp(OtlpEncoding encoding, String contentEncoding, InputStream body)
      throws PushException, IOException {
    hold();
    try {
      return otlp.take(encoding, Compression.of(contentEncoding), read(body));
    } finally {
      bodies.release();
    }
  }

  private void hold() throws PushException {
    if (!bodies.tryAcquire()) {
      throw new PushException(Code.BUSY, "too many requests at once");
    }
  }

  private byte[] read(InputStream body) throws PushException, IOException {
    byte[] read = body.readNBytes(settings.maxBytes());
    if (body.read() >= 0) {
      throw new PushException(
          Code.TOO_LARGE, "the body is larger than the limit of " + settings.maxBytes() + " bytes");
    }
    return read;
  }

  private void endQuiet() {
    try {
      remoteWrite.endQuiet();
      otlp.endQuiet();
    } catch (RuntimeException | Error e) {
      faults.increment();
      log.error("outcome=failed action=end-scrapes", e);
    }
  }

  /** Hands on what waits, as it is. */
  public void endAll() {
    remoteWrite.endAll();
    otlp.endAll();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    endAll();
  }
}
