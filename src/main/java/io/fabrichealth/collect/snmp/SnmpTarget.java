package io.fabrichealth.collect.snmp;

import io.fabrichealth.topology.Role;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A switch that is read over SNMP. Where it names both versions, v3 is used; there is no fallback
 * to the weaker one.
 *
 * @param timeout for one request
 */
public record SnmpTarget(
    String device,
    Role role,
    String address,
    int port,
    Duration interval,
    Duration timeout,
    @Nullable Community v2c,
    @Nullable User v3) {

  /** SNMP v2c. The community is a secret. */
  public record Community(String community) {
    @Override
    public String toString() {
      return "Community[***]";
    }
  }

  /**
   * SNMP v3 with the User-based Security Model (RFC 3414), authPriv.
   *
   * @param authProtocol {@code SHA | SHA224 | SHA256 | SHA384 | SHA512 | MD5}
   * @param privProtocol {@code AES | AES192 | AES256 | DES}
   */
  public record User(
      String user,
      String authProtocol,
      String authPassword,
      String privProtocol,
      String privPassword) {
    @Override
    public String toString() {
      return "User[" + user + ", " + authProtocol + ", " + privProtocol + "]";
    }
  }
}
