package io.fabrichealth.store;

import java.time.Instant;

/** A row that holds one value of a pure package. */
interface StoredRow<V> {

  V value();

  /** Takes over all but the id. */
  void set(V value, Instant at);
}
