package io.fabrichealth.collect.gnmi;

import io.fabrichealth.topology.Role;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A switch that is subscribed to over gNMI.
 *
 * @param profile name of the mapping that says which paths it has: {@code openconfig}, {@code
 *     sonic}, ...
 * @param interval at which counters are sampled, and between two passes
 * @param timeout for the connection, and for the first answer
 * @param tls null for a connection without encryption
 * @param user null where the device asks for none
 */
public record GnmiTarget(
    String device,
    Role role,
    String address,
    int port,
    String profile,
    Duration interval,
    Duration timeout,
    @Nullable Tls tls,
    @Nullable User user) {

  /**
   * How the device is known and, where it asks for that, how it knows us. Files are PEM and are
   * read again when they change.
   *
   * @param caFile authorities to trust; null for the system's own
   * @param certFile own certificate; null where the device asks for none
   * @param keyFile its key
   * @param serverName that the device's certificate must hold; null for the address
   */
  public record Tls(
      @Nullable String caFile,
      @Nullable String certFile,
      @Nullable String keyFile,
      @Nullable String serverName) {}

  /** Sent with every call, as metadata. */
  public record User(String name, String password) {
    @Override
    public String toString() {
      return "User[" + name + "]";
    }
  }
}
