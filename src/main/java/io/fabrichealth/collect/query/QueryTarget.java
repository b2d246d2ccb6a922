package io.fabrichealth.collect.query;

import io.fabrichealth.topology.Role;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Prometheus, or what speaks its query API, that scrapes exporters already.
 *
 * @param name of the target
 * @param url of the API without {@code /api/v1/query}, without user and password
 * @param match labels that the series must have, by name
 * @param deviceLabel the label that tells exporters apart, for example {@code instance}
 * @param devicePattern regular expression whose first group, in the label's value, is the name of
 *     the device
 * @param role of the devices
 * @param timeout for one query
 * @param bearerToken secret; null where none is sent
 * @param basic null where none is sent
 * @param caFile PEM file of the authority to trust; null for the system's own
 */
public record QueryTarget(
    String name,
    URI url,
    Map<String, String> match,
    String deviceLabel,
    String devicePattern,
    Role role,
    Duration interval,
    Duration timeout,
    @Nullable String bearerToken,
    @Nullable Basic basic,
    @Nullable String caFile) {
  public QueryTarget {
    match = Map.copyOf(match);
  }

  /** HTTP basic authentication. */
  public record Basic(String user, String password) {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  @Override
  public String toString() {
    return "QueryTarget[" + name + ", " + url + "]";
  }
}
