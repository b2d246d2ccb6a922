package io.fabrichealth.incident.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents.InvalidCursorException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.UUID;

/** A place in the list of incidents, newest first: everything after it is older. */
record Cursor(Instant openedAt, UUID id) {
  /** Ids compare as text, which is how PostgreSQL orders them; {@link UUID#compareTo} is signed. */
  static final Comparator<Incident> NEWEST_FIRST =
      Comparator.comparing(Incident::openedAt)
          .thenComparing(incident -> incident.id().toString())
          .reversed();

  private static final int PARTS = 2;
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  static Cursor at(Incident incident) {
    return new Cursor(incident.openedAt(), incident.id());
  }

  String text() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((openedAt + " " + id).getBytes(UTF_8));
  }

  /**
   * @throws InvalidCursorException where {@link #text} did not make it
   */
  static Cursor parse(String text) {
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", PARTS + 1);
      if (parts.length != PARTS) {
        throw new InvalidCursorException(text);
      }
      Instant openedAt = Instant.parse(parts[0]);
      if (openedAt.isBefore(Instant.EPOCH) || openedAt.isAfter(LATEST)) {
        throw new InvalidCursorException(text);
      }
      return new Cursor(openedAt, UUID.fromString(parts[1]));
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new InvalidCursorException(text);
    }
  }

  boolean isBefore(Incident incident) {
    int byTime = incident.openedAt().compareTo(openedAt);
    return byTime < 0 || (byTime == 0 && incident.id().toString().compareTo(id.toString()) < 0);
  }
}
