package io.fabrichealth.store;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The fabric as it was last known: rows of devices, ports and links.
 *
 * <p>All methods throw {@link org.springframework.dao.DataAccessException} where the database is
 * away.
 */
@Service
public class Inventory {
  private final EntityManager entities;
  private final TransactionTemplate transaction;

  Inventory(EntityManager entities, PlatformTransactionManager transactions) {
    this.entities = entities;
    transaction = new TransactionTemplate(transactions);
  }

  /**
   * Replaces what is stored, all or nothing. Rows that are the same stay untouched, so that their
   * {@code changed_at} tells when something last changed.
   */
  public void save(Fabric fabric, Instant at) {
    try {
      transaction.executeWithoutResult(
          status -> {
            replace(DeviceEntity.class, fabric.devices(), Device::name, DeviceEntity::new, at);
            replace(PortEntity.class, fabric.ports(), port -> port.id().id(), PortEntity::new, at);
            replace(LinkEntity.class, fabric.links(), Link::id, LinkEntity::new, at);
          });
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("the inventory was not saved: " + e, e);
    }
  }

  /** The stored fabric; empty where there is none. */
  public Optional<Fabric> load() {
    try {
      return Objects.requireNonNull(transaction.execute(status -> read()));
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("the inventory was not read: " + e, e);
    }
  }

  private Optional<Fabric> read() {
    Fabric.Builder fabric = Fabric.builder();
    List<DeviceEntity> devices = all(DeviceEntity.class);
    List<PortEntity> ports = all(PortEntity.class);
    devices.forEach(row -> fabric.device(row.value()));
    ports.forEach(row -> fabric.port(row.value()));
    all(LinkEntity.class).forEach(row -> fabric.link(row.value()));
    return devices.isEmpty() && ports.isEmpty() ? Optional.empty() : Optional.of(fabric.build());
  }

  private <V, E extends StoredRow<V>> void replace(
      Class<E> type,
      Collection<V> values,
      Function<V, String> key,
      BiFunction<V, Instant, E> row,
      Instant at) {
    Map<String, E> stored = new HashMap<>();
    all(type).forEach(one -> stored.put(key.apply(one.value()), one));
    Set<String> kept = new HashSet<>();
    for (V value : values) {
      String id = StoredText.of(key.apply(value));
      if (!kept.add(id)) {
        continue;
      }
      E same = stored.get(id);
      if (same == null) {
        entities.persist(row.apply(value, at));
      } else if (!same.value().equals(value)) {
        same.set(value, at);
      }
    }
    stored.forEach(
        (id, one) -> {
          if (!kept.contains(id)) {
            entities.remove(one);
          }
        });
  }

  private <E> List<E> all(Class<E> type) {
    return entities.createQuery("FROM " + type.getSimpleName(), type).getResultList();
  }
}
