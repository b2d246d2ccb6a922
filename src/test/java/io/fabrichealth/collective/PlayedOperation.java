package io.fabrichealth.collective;

/** One operation of one rank of a played job. */
final class PlayedOperation {
  final int rank;
  final ProcessGroup group;
  final String name;
  final boolean isAsync;
  final int peer;
  long elements;
  String type = "Float";
  String called;
  long sequence;
  long pointToPoint;
  long operationId;
  long issuedAt;
  long endedAt;
  boolean isIssued;
  boolean hasEnded;
  boolean hasFailed;
  String key = "";

  PlayedOperation(
      int rank, ProcessGroup group, String name, long elements, boolean isAsync, int peer) {
    this.rank = rank;
    this.group = group;
    this.name = name;
    this.elements = elements;
    this.isAsync = isAsync;
    this.peer = peer;
    called = name;
  }

  boolean isPointToPoint() {
    return peer >= 0;
  }

  String signature() {
    return called + type + elements;
  }
}
