package io.fabrichealth.api;

import java.util.List;

/**
 * What became of readings that were sent.
 *
 * @param polls polls that were taken
 * @param readings readings in them
 * @param refusedCount what was not taken: readings, fields, polls
 * @param refused the first of them
 */
record ReadingsView(int polls, int readings, int refusedCount, List<Refused> refused) {
  ReadingsView {
    refused = List.copyOf(refused);
  }

  /**
   * Something that was not taken.
   *
   * @param pointer where it stands in the body (RFC 6901)
   * @param detail what is wrong with it, in a sentence without its subject
   */
  record Refused(String pointer, String detail) {}
}
