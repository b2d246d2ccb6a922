package io.fabrichealth.incident.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Notification;
import io.fabrichealth.incident.Outbox;
import io.fabrichealth.incident.Receivers;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.incident.Standing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The table of notifications. */
@Component
class NotificationTable implements Outbox {
  private final JdbcTemplate jdbc;
  private final Receivers receivers;

  NotificationTable(JdbcTemplate jdbc, ObjectProvider<Receivers> receivers) {
    this.jdbc = jdbc;
    this.receivers = receivers.getIfAvailable(() -> Set::of);
  }

  /**
   * Notes what is to be told of a change, in the transaction that writes it. Writing it twice is
   * harmless: the delivery has the same id then.
   */
  void note(@Nullable Standing before, Incident after) {
    Standing.Event event = Standing.Event.between(before, Standing.of(after));
    Set<String> names = receivers.names();
    if (event == null || names.isEmpty()) {
      return;
    }
    String line = IncidentEntity.storable(IncidentJson.line(after));
    for (String receiver : names) {
      jdbc.update(
          """
          INSERT INTO notification (id, receiver, incident_id, event, incident, before_state,
            before_suppressed, before_cause, before_severity, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
          """,
          id(receiver, after),
          receiver,
          after.id(),
          event.name(),
          line,
          before == null ? null : before.state().name(),
          before == null ? null : before.suppressed(),
          before == null ? null : before.cause().name(),
          before == null ? null : before.severity().name(),
          Timestamp.from(changedAt(after)));
    }
  }

  /** An incident of a service that kept no trail yet has none. */
  private static Instant changedAt(Incident incident) {
    return incident.changes().isEmpty() ? incident.updatedAt() : incident.changes().getLast().at();
  }

  private static UUID id(String receiver, Incident incident) {
    String text = receiver + " " + incident.id() + " " + incident.version();
    return UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
  }

  @Override
  public List<Notification> next(String receiver, int limit) {
    return jdbc.query(
        """
        SELECT * FROM notification n
        WHERE receiver = ? AND done_at IS NULL AND NOT EXISTS (
          SELECT FROM notification earlier
          WHERE earlier.receiver = n.receiver AND earlier.incident_id = n.incident_id
            AND earlier.done_at IS NULL AND earlier.number < n.number)
        ORDER BY number LIMIT ?
        """,
        (row, index) -> notification(row),
        receiver,
        limit);
  }

  private static Notification notification(ResultSet row) throws SQLException {
    String state = row.getString("before_state");
    return new Notification(
        row.getObject("id", UUID.class),
        row.getString("receiver"),
        Standing.Event.valueOf(row.getString("event")),
        IncidentJson.incident(row.getString("incident")),
        state == null
            ? null
            : new Standing(
                Incident.State.valueOf(state),
                row.getBoolean("before_suppressed"),
                Cause.valueOf(row.getString("before_cause")),
                Severity.valueOf(row.getString("before_severity"))),
        row.getTimestamp("created_at").toInstant(),
        row.getInt("attempts"));
  }

  @Override
  public void delivered(UUID id, Instant at) {
    jdbc.update(
        "UPDATE notification SET done_at = ?, failure = NULL WHERE id = ?", Timestamp.from(at), id);
  }

  @Override
  public void failed(UUID id, String reason) {
    jdbc.update(
        "UPDATE notification SET attempts = attempts + 1, failure = ? WHERE id = ?",
        IncidentEntity.storable(reason),
        id);
  }

  @Override
  public void abandoned(UUID id, Instant at, String reason) {
    jdbc.update(
        """
        UPDATE notification SET attempts = attempts + 1, done_at = ?, failure = ? WHERE id = ?
        """,
        Timestamp.from(at),
        IncidentEntity.storable(reason),
        id);
  }

  @Override
  public long waiting() {
    return Objects.requireNonNull(
        jdbc.queryForObject("SELECT count(*) FROM notification WHERE done_at IS NULL", Long.class));
  }

  @Override
  public int sweep(Instant waitingSince, Instant doneBefore, Instant now) {
    jdbc.update("DELETE FROM notification WHERE done_at < ?", Timestamp.from(doneBefore));
    return jdbc.update(
        """
        UPDATE notification SET done_at = ?, failure = concat_ws('; ', 'given up', failure)
        WHERE done_at IS NULL AND created_at < ?
        """,
        Timestamp.from(now),
        Timestamp.from(waitingSince));
  }
}
