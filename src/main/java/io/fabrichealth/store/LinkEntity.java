package io.fabrichealth.store;

import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Tier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row of a link or half-link. */
@Entity
@Table(name = "link")
class LinkEntity implements StoredRow<Link> {
  @Id private String id;

  @Column(nullable = false)
  private String aDevice;

  @Column(nullable = false)
  private String aPort;

  private @Nullable String bDevice;
  private @Nullable String bPort;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Tier tier;

  private @Nullable Integer rail;

  @Column(nullable = false)
  private Instant changedAt;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected LinkEntity() {}

  LinkEntity(Link link, Instant at) {
    this();
    id = StoredText.of(link.id());
    aDevice = StoredText.of(link.a().device());
    aPort = StoredText.of(link.a().port());
    PortId b = link.b();
    bDevice = b == null ? null : StoredText.of(b.device());
    bPort = b == null ? null : StoredText.of(b.port());
    set(link, at);
  }

  @Override
  public final void set(Link link, Instant at) {
    tier = link.tier();
    rail = link.rail();
    changedAt = at;
  }

  @Override
  public Link value() {
    PortId b = bDevice == null || bPort == null ? null : new PortId(bDevice, bPort);
    return new Link(new PortId(aDevice, aPort), b, tier, rail);
  }
}
