package io.fabrichealth.api;

import io.fabrichealth.runtime.CoverageMatrix;
import io.fabrichealth.runtime.CoverageMatrix.State;
import io.swagger.v3.oas.annotations.media.Schema;

/** What is seen of one device in one family of signals. */
record CoverageView(
    String device,
    @Schema(description = "the part of the signals' names before the dot", example = "fec")
        String family,
    @Schema(description = "over those ports that have the family") State state,
    @Schema(description = "number of ports by their own state") PortsView ports) {

  /** Ports by their state. */
  record PortsView(
      @Schema(description = "all signals that are there were read by the last pass") int read,
      @Schema(description = "some of them were") int partly,
      @Schema(description = "read once, but not by the last pass") int stale,
      @Schema(description = "there, but without a usable value") int unreadable,
      @Schema(description = "never given, though the port is read") int unsupported,
      @Schema(description = "nothing of the port is read") int unread) {}

  static CoverageView of(CoverageMatrix.Cell cell) {
    return new CoverageView(
        cell.device(),
        cell.family(),
        cell.state(),
        new PortsView(
            count(cell, State.READ),
            count(cell, State.PARTLY),
            count(cell, State.STALE),
            count(cell, State.UNREADABLE),
            count(cell, State.UNSUPPORTED),
            count(cell, State.UNREAD)));
  }

  private static int count(CoverageMatrix.Cell cell, State state) {
    return cell.ports().getOrDefault(state, 0);
  }
}
