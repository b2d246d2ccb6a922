package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicReference;

/** Fetches pages that are no expositions, with the same care: time, size, trust, credentials. */
public final class PageClient implements AutoCloseable {
  private static final byte[] NONE = {};

  private final ExporterClient client = new ExporterClient();

  /**
   * The whole page.
   *
   * @throws CollectException where it did not come in whole; the message holds no secret
   */
  public byte[] fetch(PrometheusTarget from) throws CollectException, InterruptedException {
    AtomicReference<byte[]> page = new AtomicReference<>(NONE);
    client.fetch(
        from, from.timeout(), (InputStream body, String type) -> page.set(body.readAllBytes()));
    return page.get();
  }

  @Override
  public void close() {
    client.close();
  }
}
