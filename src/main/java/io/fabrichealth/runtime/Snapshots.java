package io.fabrichealth.runtime;

/** Where everything that answers people reads from. */
public interface Snapshots {

  /** The newest snapshot; one of an empty fabric before the first poll. */
  FabricSnapshot current();
}
