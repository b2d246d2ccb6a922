package io.fabrichealth.incident.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.incident.Incidents.InvalidCursorException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
  @Test
  void is_read_back_as_it_was_given() {
    Cursor cursor =
        new Cursor(Instant.parse("2026-11-01T10:00:00.123456Z"), UUID.fromString("f0-0-0-0-1"));

    assertThat(Cursor.parse(cursor.text())).isEqualTo(cursor);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "%%%",
        "2026-11-01T10:00:00Z",
        "now 0-0-0-0-1",
        "2026-11-01T10:00:00Z x",
        "2026-11-01T10:00:00Z 0-0-0-0-1 more",
        "+1000000000-12-31T23:59:59Z 0-0-0-0-1",
        "-0001-01-01T00:00:00Z 0-0-0-0-1"
      })
  void refuses_what_it_did_not_give(String content) {
    String encoded = Base64.getUrlEncoder().encodeToString(content.getBytes(UTF_8));

    assertThatThrownBy(() -> Cursor.parse(encoded)).isInstanceOf(InvalidCursorException.class);
    assertThatThrownBy(() -> Cursor.parse(content)).isInstanceOf(InvalidCursorException.class);
  }
}
