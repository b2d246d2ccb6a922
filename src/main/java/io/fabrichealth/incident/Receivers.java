package io.fabrichealth.incident;

import java.util.Set;

/** Who is told of what becomes of incidents. */
@FunctionalInterface
public interface Receivers {

  /** Names as of now; they may change while the service runs. */
  Set<String> names();
}
