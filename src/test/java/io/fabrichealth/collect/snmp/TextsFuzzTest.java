package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.snmp4j.smi.OctetString;

/** What agents put into octet strings. */
class TextsFuzzTest {

  @FuzzTest
  void texts_and_addresses_are_clean(byte[] data) {
    OctetString octets = new OctetString(data);

    String text = Texts.text(octets);
    assertThat(text).hasSizeLessThanOrEqualTo(255);
    assertThat(text.codePoints().noneMatch(Character::isISOControl)).isTrue();
    assertThat(text).isEqualTo(text.strip());
    String mac = Texts.mac(octets);
    if (mac != null) {
      assertThat(mac).matches("([0-9a-f]{2}:){5}[0-9a-f]{2}").isNotEqualTo("00:00:00:00:00:00");
    }
  }
}
