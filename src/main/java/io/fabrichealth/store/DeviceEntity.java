package io.fabrichealth.store;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Role;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** The row of a device. */
@Entity
@Table(name = "device")
class DeviceEntity implements StoredRow<Device> {
  @Id private String name;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Role role;

  private @Nullable String vendor;
  private @Nullable String model;
  private @Nullable Integer rail;
  private @Nullable Integer plane;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(nullable = false)
  private Map<String, Integer> counterBits;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(nullable = false)
  private List<ErrorBin> fecBins;

  @Column(nullable = false)
  private Instant changedAt;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected DeviceEntity() {}

  DeviceEntity(Device device, Instant at) {
    this();
    name = StoredText.of(device.name());
    set(device, at);
  }

  @Override
  public final void set(Device device, Instant at) {
    role = device.role();
    vendor = StoredText.ofNullable(device.vendor());
    model = StoredText.ofNullable(device.model());
    rail = device.rail();
    plane = device.plane();
    counterBits = device.counterBits();
    fecBins = device.fecBins();
    changedAt = at;
  }

  @Override
  public Device value() {
    return new Device(name, role, vendor, model, rail, plane, counterBits, fecBins);
  }
}
