package io.fabrichealth.engine;

import io.fabrichealth.finding.Finding;
import java.util.List;

/** One detector of a device or of the fabric: what it remembers, and what it now says. */
final class Speaker {
  Object memory;
  List<Finding> findings = List.of();

  Speaker(Object initial) {
    memory = initial;
  }
}
