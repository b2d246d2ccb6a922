package io.fabrichealth.notify;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps notifications from places that are not meant to receive any: a name in a configuration may
 * lead to the service's own host or to the metadata of a cloud.
 *
 * <p>Names are looked up anew for each attempt. The runtime keeps an answer for longer than it
 * takes to connect ({@code networkaddress.cache.ttl}, 30 seconds by default), so that what was
 * checked is what is connected to.
 */
final class AddressGuard {
  private AddressGuard() {}

  /**
   * What speaks against sending to the host; null where nothing does.
   *
   * @param allowPrivate whether loopback, link-local and private addresses are meant
   * @throws UnknownHostException where the name is not known
   */
  static @Nullable String refusal(String host, boolean allowPrivate) throws UnknownHostException {
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    for (InetAddress address : InetAddress.getAllByName(name)) {
      if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
        return address.getHostAddress() + " is no address of a host";
      }
      if (!allowPrivate && isPrivate(address)) {
        return address.getHostAddress() + " is private, and allow-private is not set";
      }
    }
    return null;
  }

  private static boolean isPrivate(InetAddress address) {
    if (address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()) {
      return true;
    }
    byte[] bytes = address.getAddress();
    int first = bytes[0] & 0xff;
    int second = bytes[1] & 0xff;
    return address instanceof Inet6Address
        // RFC 4193 unique local; RFC 6052 and 3056, which lead to IPv4 addresses.
        ? (first & 0xfe) == 0xfc || first == 0x00 || (first == 0x20 && second == 0x02)
        // RFC 6598 shared; RFC 1122 this network; RFC 1112 reserved.
        : (first == 100 && (second & 0xc0) == 64) || first == 0 || first >= 240;
  }
}
