package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
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

  /** Reads a body; what it throws ends the fetch. */
  public interface Reader {
    void read(InputStream body) throws IOException;
  }

  /**
   * Sends a form and reads the answer in JSON; also that to a form that is refused (HTTP status
   * 400, 422, 503), which says why.
   *
   * @param limit for all of it
   * @throws CollectException where the answer did not come in whole; the message holds no secret
   */
  public void post(PrometheusTarget to, String form, Duration limit, Reader reader)
      throws CollectException, InterruptedException {
    client.post(to, form, limit, (body, type) -> reader.read(body));
  }

  @Override
  public void close() {
    client.close();
  }
}
