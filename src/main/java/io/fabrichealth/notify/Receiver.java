package io.fabrichealth.notify;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of incidents.
 *
 * @param name unique among receivers of all kinds
 * @param url where it is posted to; of an Alertmanager without {@code /api/v2/alerts}
 * @param secret with which bodies are signed; null where they are not
 * @param authorization value of the header; null where none is sent
 * @param timeout for one attempt
 * @param allowPrivate whether it may lie at a loopback, link-local or private address
 */
public record Receiver(
    String name,
    Kind kind,
    URI url,
    @Nullable String secret,
    @Nullable String authorization,
    Duration timeout,
    boolean allowPrivate) {

  /** What it understands. */
  public enum Kind {
    /** Our own body, one event each, signed. */
    WEBHOOK,
    /** The API of Prometheus Alertmanager, version 2. */
    ALERTMANAGER
  }

  @Override
  public String toString() {
    return "Receiver[" + name + "]";
  }
}
