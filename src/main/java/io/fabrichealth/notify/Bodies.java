package io.fabrichealth.notify;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Notification;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.incident.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What is sent. */
final class Bodies {
  /** An Alertmanager forgets an alert of which it hears nothing for so long. */
  static final Duration HOLDS = Duration.ofMinutes(5);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Bodies() {}

  private record About(String type, String id) {}

  private record Told(
      UUID id,
      Incident.State state,
      About subject,
      Cause cause,
      Severity severity,
      double probability,
      Instant openedAt,
      Instant updatedAt,
      @Nullable Instant resolvedAt,
      @Nullable String resolution,
      @Nullable String suppressedBy,
      int repeats,
      String summary,
      String recommendedAction,
      List<String> members,
      String path) {}

  private record Webhook(UUID deliveryId, Standing.Event event, Instant at, Told incident) {}

  private record Labels(
      String alertname, String cause, String severity, String subject_type, String subject) {}

  private record Annotations(
      String summary, String description, String incident, String probability) {}

  private record Alert(Labels labels, Annotations annotations, Instant startsAt, Instant endsAt) {}

  /** One event, the same bytes each time that it is sent. */
  static byte[] webhook(Notification notification) {
    Incident incident = notification.incident();
    Subject subject = incident.subject();
    return JSON.writeValueAsBytes(
        new Webhook(
            notification.id(),
            notification.event(),
            notification.createdAt(),
            new Told(
                incident.id(),
                incident.state(),
                new About(subject.type().label(), subject.id()),
                incident.cause(),
                incident.severity(),
                incident.probability(),
                incident.openedAt(),
                incident.updatedAt(),
                incident.resolvedAt(),
                incident.resolution() == null ? null : incident.resolution().name(),
                incident.suppressedBy(),
                incident.repeats().count(),
                incident.summary(),
                incident.cause().recommendedAction(),
                incident.members(),
                "/api/v1/incidents/" + incident.id())));
  }

  /**
   * The alerts of one event. An alert is its labels: where these change, the one with the old ones
   * ends.
   */
  static byte[] alerts(Notification notification, Instant now) {
    Incident incident = notification.incident();
    List<Alert> alerts = new ArrayList<>();
    Standing before = notification.before();
    if (before != null
        && (before.cause() != incident.cause() || before.severity() != incident.severity())) {
      alerts.add(alert(incident, before.cause(), before.severity(), end(incident, now)));
    }
    alerts.add(
        alert(
            incident,
            incident.cause(),
            incident.severity(),
            Standing.of(incident).isToldOf() ? now.plus(HOLDS) : end(incident, now)));
    return JSON.writeValueAsBytes(alerts);
  }

  /** The alerts of all that goes on. */
  static byte[] alerts(Collection<Incident> incidents, Instant now) {
    return JSON.writeValueAsBytes(
        incidents.stream()
            .map(one -> alert(one, one.cause(), one.severity(), now.plus(HOLDS)))
            .toList());
  }

  /** An end in the future would be none. */
  private static Instant end(Incident incident, Instant now) {
    Instant at = incident.resolvedAt() == null ? now : incident.resolvedAt();
    return at.isBefore(now) ? at : now;
  }

  private static Alert alert(Incident incident, Cause cause, Severity severity, Instant endsAt) {
    Subject subject = incident.subject();
    Instant end = endsAt.isAfter(incident.openedAt()) ? endsAt : incident.openedAt();
    return new Alert(
        new Labels(
            "FabricIncident", cause.name(), severity.label(), subject.type().label(), subject.id()),
        new Annotations(
            incident.summary(),
            cause.recommendedAction(),
            "/api/v1/incidents/" + incident.id(),
            Double.toString(incident.probability())),
        incident.openedAt().truncatedTo(ChronoUnit.MILLIS),
        end.truncatedTo(ChronoUnit.MILLIS));
  }
}
