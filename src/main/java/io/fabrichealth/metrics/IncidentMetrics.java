package io.fabrichealth.metrics;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Incidents that are not resolved: what alerts fire on. */
final class IncidentMetrics {
  private static final String[] ACTIVE = {
    "cause",
    "severity",
    "subject_type",
    "subject",
    "device",
    "port",
    "peer_device",
    "peer_port",
    "rail"
  };
  private static final Place NOWHERE = new Place("", "", "", "", "");

  private IncidentMetrics() {}

  private record Place(
      String device, String port, String peerDevice, String peerPort, String rail) {}

  static void add(Scrape scrape, Incidents incidents, Fabric fabric) {
    List<Incident> unresolved = incidents.unresolved();
    scrape.gauge(
        "fabric_incident_active",
        "An incident that is not resolved; device and port are those of its first id.",
        series -> {
          Set<Labels> distinct = new LinkedHashSet<>();
          unresolved.forEach(incident -> distinct.add(labels(incident, fabric)));
          distinct.forEach(labels -> series.add(labels, 1));
        });
    Map<Severity, Integer> open = new EnumMap<>(Severity.class);
    unresolved.forEach(incident -> open.merge(incident.severity(), 1, Integer::sum));
    scrape.gauge(
        "fabric_incidents_open",
        "Incidents that are not resolved.",
        series -> {
          for (Severity severity : Severity.values()) {
            series.add(Labels.of("severity", severity.label()), open.getOrDefault(severity, 0));
          }
        });
    Incidents.Counts counts = incidents.counts();
    scrape.counter(
        "fabric_incidents_opened",
        "Incidents opened since the service started.",
        series -> series.add(Labels.EMPTY, counts.opened()));
    scrape.counter(
        "fabric_incidents_resolved",
        "Incidents resolved since the service started.",
        series -> series.add(Labels.EMPTY, counts.resolved()));
  }

  private static Labels labels(Incident incident, Fabric fabric) {
    Subject subject = incident.subject();
    Place place = place(subject, fabric);
    return Labels.of(
        ACTIVE,
        new String[] {
          incident.cause().name(),
          incident.severity().label(),
          subject.type().label(),
          subject.id(),
          place.device(),
          place.port(),
          place.peerDevice(),
          place.peerPort(),
          place.rail()
        });
  }

  private static Place place(Subject subject, Fabric fabric) {
    String id = subject.id();
    return switch (subject.type()) {
      case LINK -> {
        Link link = fabric.link(id);
        yield link == null ? NOWHERE : at(link.a(), fabric);
      }
      case PORT -> port(id, fabric);
      case LANE -> port(id.substring(0, Math.max(id.lastIndexOf('#'), 0)), fabric);
      case SWITCH, HOST -> device(id, fabric);
      case PAUSE_DOMAIN, SHARED_COMPONENT -> deviceOrPort(id.split("\\+", 2)[0], fabric);
      case ROUTE -> {
        Link link = fabric.link(id);
        yield link == null ? deviceOrPort(id, fabric) : at(link.a(), fabric);
      }
      case FABRIC, RANK, JOB -> NOWHERE;
    };
  }

  private static Place deviceOrPort(String id, Fabric fabric) {
    return fabric.device(id) == null ? port(id, fabric) : device(id, fabric);
  }

  private static Place device(String name, Fabric fabric) {
    Device device = fabric.device(name);
    return new Place(name, "", "", "", device == null ? "" : Scrape.text(device.rail()));
  }

  /** Ids are not parsed, as names may hold every separator there is. */
  private static Place port(String id, Fabric fabric) {
    return fabric.ports().stream()
        .map(Port::id)
        .filter(port -> port.id().equals(id))
        .findFirst()
        .map(port -> at(port, fabric))
        .orElse(NOWHERE);
  }

  private static Place at(PortId port, Fabric fabric) {
    Link link = fabric.linkAt(port);
    @Nullable PortId peer = link == null ? null : link.peerOf(port);
    return new Place(
        port.device(),
        port.port(),
        peer == null ? "" : peer.device(),
        peer == null ? "" : peer.port(),
        link == null ? "" : Scrape.text(link.rail()));
  }
}
