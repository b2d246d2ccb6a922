package io.fabrichealth.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.9.9.9",
        "localhost",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.1.2.3",
        "250.0.0.1",
        "[::1]",
        "[fe80::1]",
        "[fd00::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "2130706433"
      })
  void private_addresses_are_refused_unless_they_are_meant(String host)
      throws UnknownHostException {
    assertThat(AddressGuard.refusal(host, false)).contains("private");
    assertThat(AddressGuard.refusal(host, true)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "224.0.0.1", "[::]", "[ff02::1]"})
  void what_is_no_host_is_always_refused(String host) throws UnknownHostException {
    assertThat(AddressGuard.refusal(host, true)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"198.51.100.7", "100.128.0.1", "172.32.0.1", "[2001:db8::7]"})
  void others_are_not(String host) throws UnknownHostException {
    assertThat(AddressGuard.refusal(host, false)).isNull();
  }
}
