package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Role;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exporter that is scraped over HTTP(S).
 *
 * @param url absolute, {@code http} or {@code https}, without user and password
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

  /**
   * @throws IllegalArgumentException where the URL is none that can be scraped
   */
  public PrometheusTarget {
    boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!isHttp || url.getHost() == null) {
      throw new IllegalArgumentException(
          device + ": url: expected http://host:port/path or https://host:port/path");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          device + ": url: user and password belong into basic, not into the URL");
    }
  }

  /** HTTP basic authentication. */
  public record Basic(String user, String password) {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  /** Where it is scraped, without what a query may hold. */
  public String address() {
    return url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
  }

  @Override
  public String toString() {
    return "PrometheusTarget[" + device + ", " + address() + "]";
  }
}
