package io.fabrichealth.incident.internal;

import io.fabrichealth.incident.Incident;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;

/** Rows of incidents. */
interface IncidentRepository
    extends JpaRepository<IncidentEntity, UUID>, JpaSpecificationExecutor<IncidentEntity> {

  List<IncidentEntity> findByStateNot(Incident.State state);

  Optional<IncidentEntity> findByFingerprintAndStateNot(String fingerprint, Incident.State state);
}
