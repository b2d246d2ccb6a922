package io.fabrichealth.store;

import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** The row of a port. */
@Entity
@Table(name = "port")
class PortEntity implements StoredRow<Port> {
  @Id private String id;

  @Column(nullable = false)
  private String device;

  @Column(nullable = false)
  private String name;

  private long speedBitsPerSecond;
  private int lanes;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private FecMode fec;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Media media;

  private @Nullable String partNumber;
  private int mtu;
  private boolean adminUp;

  @JdbcTypeCode(SqlTypes.ARRAY)
  @Column(nullable = false)
  private List<String> aliases;

  @Column(nullable = false)
  private Instant changedAt;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected PortEntity() {}

  PortEntity(Port port, Instant at) {
    this();
    id = StoredText.of(port.id().id());
    device = StoredText.of(port.id().device());
    name = StoredText.of(port.id().port());
    set(port, at);
  }

  @Override
  public final void set(Port port, Instant at) {
    speedBitsPerSecond = port.speedBitsPerSecond();
    lanes = port.lanes();
    fec = port.fec();
    media = port.media();
    partNumber = StoredText.ofNullable(port.partNumber());
    mtu = port.mtu();
    adminUp = port.adminUp();
    aliases = port.aliases().stream().map(StoredText::of).toList();
    changedAt = at;
  }

  @Override
  public Port value() {
    return new Port(
        new PortId(device, name),
        speedBitsPerSecond,
        lanes,
        fec,
        media,
        partNumber,
        mtu,
        adminUp,
        aliases);
  }
}
