package io.fabrichealth.collect.push;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.push.PushException.Code;
import io.fabrichealth.signal.SignalDictionary;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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

  /** Largest body, as sent and unpacked. */
  private static final int MOST_BYTES = 32 << 20;

  /** So long what waits is offered again when the service stops. */
  private static final Duration LAST_OFFERS = Duration.ofSeconds(5);

  private static final long OFFER_EVERY_MILLIS = 20;

  /** Requests whose bodies are in memory at once. */
  private static final int MOST_BODIES = 8;

  private final List<Scrapes> scrapes;
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
      SignalDictionary dictionary,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    this(MetricMapping.load(dictionary), Scrapes.QUIET, Scrapes.MOST_WAITING, clock, sink, meters);
  }

  /**
   * @param quiet a scrape is whole when no part of it came for so long
   * @param mostWaiting samples that wait at once, by protocol
   */
  PushReceiver(
      MetricMapping mapping,
      Duration quiet,
      int mostWaiting,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    Scrapes written =
        new Scrapes(RemoteWriteReceiver.NAME, mapping, quiet, mostWaiting, clock, sink, meters);
    Scrapes exported =
        new Scrapes(OtlpReceiver.NAME, mapping, quiet, mostWaiting, clock, sink, meters);
    scrapes = List.of(written, exported);
    remoteWrite = new RemoteWriteReceiver(written);
    otlp = new OtlpReceiver(exported);
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
      remoteWrite.take(message(contentEncoding, body));
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
      return otlp.take(encoding, message(contentEncoding, body));
    } finally {
      bodies.release();
    }
  }

  private void hold() throws PushException {
    if (!bodies.tryAcquire()) {
      throw new PushException(Code.BUSY, "too many requests at once");
    }
  }

  private static byte[] message(String contentEncoding, InputStream body)
      throws PushException, IOException {
    Compression packed = Compression.of(contentEncoding);
    byte[] read = body.readNBytes(MOST_BYTES);
    if (body.read() >= 0) {
      throw new PushException(
          Code.TOO_LARGE, "the body is larger than the limit of " + MOST_BYTES + " bytes");
    }
    return packed.unpack(read, MOST_BYTES);
  }

  private void endQuiet() {
    try {
      scrapes.forEach(Scrapes::endQuiet);
    } catch (RuntimeException | Error e) {
      faults.increment();
      log.error("outcome=failed action=end-scrapes", e);
    }
  }

  /**
   * Takes no more, and hands on what senders were told is taken, as it is. Where the sink has no
   * room it is offered again for a while.
   */
  @Override
  public void close() {
    timer.shutdownNow();
    long until = System.nanoTime() + LAST_OFFERS.toNanos();
    boolean isEmpty = closeScrapes();
    try {
      while (!isEmpty && System.nanoTime() - until < 0) {
        Thread.sleep(OFFER_EVERY_MILLIS);
        isEmpty = closeScrapes();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!isEmpty) {
      log.warn(
          "outcome=lost action=end-scrapes samples={} reason=no-room",
          scrapes.stream().mapToInt(Scrapes::waiting).sum());
    }
  }

  private boolean closeScrapes() {
    boolean all = true;
    for (Scrapes each : scrapes) {
      all &= each.close();
    }
    return all;
  }
}
