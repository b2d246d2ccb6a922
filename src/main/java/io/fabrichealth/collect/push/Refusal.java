package io.fabrichealth.collect.push;

import java.util.Locale;

/** Why samples that were pushed are not taken. */
enum Refusal {
  /** No metric of the mapping. */
  UNMAPPED,
  /** Names no exporter: the label is absent or empty. */
  NO_INSTANCE,
  /** More or longer labels than any exporter has, or none at all. */
  LABELS,
  /** A histogram or summary. */
  TYPE,
  /** Counts from one report to the next instead of from the start. */
  DELTA,
  /** The scrape that it belongs to is past. */
  LATE,
  /** The series has a sample of that scrape already. */
  DUPLICATE,
  /** Too long ago. */
  OLD,
  /** Ahead of this service's clock. */
  FUTURE,
  /** More exporters or series than there is room for. */
  ROOM;

  /** As the tag of a metric has it. */
  String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
