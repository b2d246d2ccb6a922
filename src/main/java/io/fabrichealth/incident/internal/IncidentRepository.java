package io.fabrichealth.incident.internal;

import io.fabrichealth.incident.EndedIncident;
import io.fabrichealth.incident.Incident;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Query;

/** Rows of incidents. */
interface IncidentRepository
    extends JpaRepository<IncidentEntity, UUID>, JpaSpecificationExecutor<IncidentEntity> {

  List<IncidentEntity> findByStateNot(Incident.State state);

  @Query(
      """
      SELECT new io.fabrichealth.incident.EndedIncident(
        i.fingerprint, new io.fabrichealth.finding.Subject(i.subjectType, i.subjectId), i.cause,
        i.resolution, i.resolvedAt)
      FROM IncidentEntity i WHERE i.resolvedAt >= :since
      """)
  List<EndedIncident> findEndedSince(Instant since);

  Optional<IncidentEntity> findByFingerprintAndStateNot(String fingerprint, Incident.State state);
}
