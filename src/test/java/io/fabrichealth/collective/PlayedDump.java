package io.fabrichealth.collective;

import io.fabrichealth.collective.PlayedJob.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes what one kind of writer would have recorded of a rank of a played job. */
final class PlayedDump {
  private final PlayedJob job;
  private final PlayedRank rank;
  private final List<PlayedOperation> issued;
  private final List<ProcessGroup> groups = new ArrayList<>();
  private final Map<Operation, Integer> operations = new LinkedHashMap<>();
  private final Map<String, Integer> groupNumbers = new LinkedHashMap<>();

  PlayedDump(PlayedJob job, PlayedRank rank, List<PlayedOperation> issued) {
    this.job = job;
    this.rank = rank;
    this.issued = issued;
  }

  FlightRecorder write() {
    FlightRecorder.Builder builder = new FlightRecorder.Builder(rank.rank, "rank" + rank.rank);
    builder.version("2.10");
    for (ProcessGroup group : job.groups) {
      if (group.ranks().contains(rank.rank)) {
        groupNumbers.put(group.name(), groups.size());
        groups.add(
            job.writer == Writer.GLOO
                ? new ProcessGroup(group.name(), group.description(), List.of())
                : group);
      }
    }
    if (job.writer == Writer.GLOO) {
      groups.add(new ProcessGroup("", "", job.groups.getLast().ranks()));
    }
    long record = 0;
    List<long[]> kept = new ArrayList<>();
    for (int at = 0; at < issued.size(); at++) {
      PlayedOperation operation = issued.get(at);
      if (job.writer == Writer.GLOO && operation.isPointToPoint()) {
        continue;
      }
      long number = record++;
      if (job.writer != Writer.AHEAD || !operation.hasEnded) {
        kept.add(new long[] {number, at});
      }
    }
    int from = Math.max(0, kept.size() - job.ring());
    for (long[] entry : kept.subList(from, kept.size())) {
      write(builder, entry[0], issued.get((int) entry[1]));
    }
    return builder
        .tables(groups, List.copyOf(operations.keySet()), List.of())
        .statuses(statuses())
        .build();
  }

  private void write(FlightRecorder.Builder builder, long record, PlayedOperation operation) {
    int group = groupNumbers.get(operation.group.name());
    long skew = job.skew(rank.rank);
    boolean isDone = operation.hasEnded && job.writer == Writer.COMPLETING;
    long ended = isDone ? operation.endedAt + skew : FlightRecorder.ABSENT;
    boolean isRetired =
        switch (job.writer) {
          case GLOO -> operation.hasEnded || operation.hasFailed;
          case HOOK -> true;
          case COMPLETING, AHEAD -> operation.hasEnded;
        };
    builder
        .entry(record, group, group, number(operation), -1)
        .sequences(operation.sequence, operation.pointToPoint, operation.operationId)
        .times(
            operation.issuedAt + skew,
            ended,
            ended,
            isDone ? operation.endedAt - operation.issuedAt : FlightRecorder.ABSENT)
        .state(
            isDone ? EntryState.COMPLETED : EntryState.SCHEDULED,
            operation.isPointToPoint(),
            isRetired);
  }

  private int number(PlayedOperation operation) {
    List<Integer> members = operation.group.ranks();
    int own = members.indexOf(rank.rank);
    int other = members.indexOf(operation.peer);
    boolean isSend = operation.name.equals("send");
    List<List<Long>> sizes = List.of(List.of(operation.elements));
    List<String> types = List.of(operation.type);
    Operation written =
        operation.isPointToPoint()
            ? new Operation(
                prefix(),
                operation.name,
                isSend ? own : other,
                isSend ? other : own,
                isSend ? sizes : List.of(),
                isSend ? types : List.of(),
                isSend ? List.of() : sizes,
                isSend ? List.of() : types)
            : new Operation(prefix(), operation.called, -1, -1, sizes, types, sizes, types);
    return operations.computeIfAbsent(written, key -> operations.size());
  }

  private String prefix() {
    return job.writer == Writer.GLOO ? "gloo" : "nccl";
  }

  private List<GroupStatus> statuses() {
    List<GroupStatus> statuses = new ArrayList<>();
    groupNumbers.forEach(
        (name, number) -> {
          long enqueued = -1;
          long completed = -1;
          for (PlayedOperation operation : issued) {
            if (operation.group.name().equals(name)) {
              enqueued = operation.operationId;
              completed = operation.hasEnded ? operation.operationId : completed;
            }
          }
          boolean isSilent = job.writer == Writer.HOOK;
          statuses.add(new GroupStatus(number, enqueued, -1, isSilent ? -1 : completed));
        });
    return statuses;
  }
}
