package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Role;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exporter that is scraped over HTTP(S).
 *
 * @param timeout for one scrape, body included
 * @param maxBytes largest body after decompression
 * @param bearerToken secret; null where none is sent
 * @param caFile PEM file of the authority to trust; null for the system's own
 */
public record PrometheusTarget(
    String device,
    Role role,
    URI url,
    Duration interval,
    Duration timeout,
    long maxBytes,
    @Nullable String bearerToken,
    @Nullable Basic basic,
    @Nullable String caFile) {

  /** HTTP basic authentication. */
  public record Basic(String user, String password) {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  @Override
  public String toString() {
    return "PrometheusTarget[" + device + ", " + url + "]";
  }
}
