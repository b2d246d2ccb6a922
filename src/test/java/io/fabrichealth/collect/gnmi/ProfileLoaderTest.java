package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.gnmi.proto.Encoding;
import io.fabrichealth.testing.Readings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles are read strictly; what is wrong is said with file and entry. */
class ProfileLoaderTest {
  private final ProfileLoader loader = new ProfileLoader(Readings.DICTIONARY);

  private void add(String file, String text) {
    loader.add(file, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_profile_takes_others_in_each_once() {
    add("top.yaml", "{include: [left, right], encodings: [json]}");
    add("left.yaml", "{include: [base]}");
    add("right.yaml", "{include: [base, top], encodings: [proto]}");
    add(
        "base.yaml",
        """
        subscriptions:
          - path: "/a/b[c={port}]/n"
            mode: sample
            sure: captured
            readings:
              - {signal: port.in_octets}
              - {leaf: "x_{priority}", signal: pfc.rx_pause_frames}
        """);

    Profile profile = loader.profile("top");

    assertThat(loader.parts("top")).containsExactly("top", "left", "base", "right");
    assertThat(profile.encodings()).containsExactly(Encoding.JSON);
    assertThat(profile.paths()).hasSize(1);
    assertThat(profile.paths().getFirst().path()).isEqualTo(LeafTree.path("/a/b[c=*]/n"));
    ReplayedDevice device = new ReplayedDevice(profile);
    device.send("/a/b[c=p1]/n", LeafTree.unsigned(4));
    device.send("/a/b[c=p1]/n/x_7", LeafTree.unsigned(5));
    Readings readings = device.readings();
    assertThat(readings.of("p1", "port.in_octets")).isEqualTo("OK 4");
    assertThat(readings.of("p1", "pfc.rx_pause_frames", 7)).isEqualTo("OK 5");
  }

  @Test
  void every_profile_that_ships_is_whole() {
    ProfileLoader shipped = ProfileLoader.shipped(Readings.DICTIONARY);

    assertThat(shipped.names())
        .contains("openconfig", "sonic", "arista", "junos", "nvos", "cumulus");
    assertThat(shipped.names())
        .allSatisfy(name -> assertThat(shipped.profile(name).name()).isEqualTo(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {surprise: 1}                                                                      | surprise
          {include: [nowhere]}                                                               | include: 'nowhere' is none of
          {encodings: [xml]}                                                                 | encodings 'xml' is none of
          {subscriptions: [{path: a, mode: often, sure: captured}]}                          | p.yaml: subscriptions: a: mode 'often'
          {subscriptions: [{path: a, mode: sample}]}                                         | sure is missing
          {subscriptions: [{mode: sample, sure: captured}]}                                  | path is missing
          {subscriptions: [{path: "a[b=c]", mode: sample, sure: captured}]}                  | a key is * or {variable}
          {subscriptions: [{path: "a[b", mode: sample, sure: captured}]}                     | expected name[key={variable}]
          {subscriptions: [{path: "a/{what}", mode: sample, sure: captured}]}                | '{what}' is none of
          {subscriptions: [{path: a, mode: sample, sure: captured}, {path: a, mode: once, sure: captured}]} | subscribed to twice
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: no.such}]}]} | signal 'no.such' is not in the dictionary
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: port.oper_up}]}]} | states are needed
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: port.in_octets, scale: 2}]}]} | scale is for gauges
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: port.in_octets, divisor: 0}]}]} | divisor: expected 1 or more
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: port.in_octets}, {leaf: c, signal: port.in_octets}]}]} | the same rank 0
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, sum: [c], signal: port.in_octets}]}]} | exclude each other
          {subscriptions: [{path: a, mode: sample, sure: captured, readings: [{leaf: b, signal: port.in_octets}, {leaf: b, signal: port.mtu_bytes}]}]} | is read as something else
          {subscriptions: [{path: a, mode: sample, sure: captured, facts: [{leaf: b, fact: gossip}]}]} | fact 'gossip' is none of
          {left_out: [{name: x, port: "("}]}                                                 | no regular expression
          """)
  void what_is_wrong_is_said(String yaml, String expected) {
    assertThatThrownBy(
            () -> {
              add("p.yaml", yaml);
              loader.profile("p");
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p.yaml")
        .hasMessageContaining(expected);
  }
}
