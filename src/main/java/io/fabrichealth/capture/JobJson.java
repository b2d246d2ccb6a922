package io.fabrichealth.capture;

import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.engine.EngineInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** A job's roster as the {@code job} record of the capture format. */
final class JobJson {
  static final int MOST_RANKS = 1 << 20;
  private static final int MOST_GPUS = 1_000;

  private final RecordFields fields;
  private final List<JobRank> ranks = new ArrayList<>();
  private final List<ProcessGroup> groups = new ArrayList<>();
  private @Nullable String job;
  private boolean isEnded;

  JobJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "job" -> job = fields.name();
      case "ranks" -> fields.array(this::rank);
      case "groups" -> fields.array(this::group);
      case "ended" -> isEnded = fields.flag();
      default -> fields.skip();
    }
  }

  private void rank() {
    @Nullable Integer[] numbers = new @Nullable Integer[2];
    @Nullable String[] names = new @Nullable String[2];
    fields.object(
        field -> {
          switch (field) {
            case "rank" -> numbers[0] = fields.index(0, MOST_RANKS);
            case "gpu" -> numbers[1] = fields.index(0, MOST_GPUS);
            case "host" -> names[0] = fields.name();
            case "port" -> names[1] = fields.name();
            default -> fields.skip();
          }
        });
    Integer rank = numbers[0];
    if (rank != null && ranks.size() < MOST_RANKS) {
      ranks.add(new JobRank(rank, names[0], numbers[1], names[1]));
    }
  }

  private void group() {
    @Nullable String[] texts = {"", ""};
    List<Integer> members = new ArrayList<>();
    fields.object(
        field -> {
          switch (field) {
            case "name" -> texts[0] = fields.text();
            case "description" -> texts[1] = fields.text();
            case "ranks" -> members(members);
            default -> fields.skip();
          }
        });
    String name = texts[0];
    String description = texts[1];
    if (name != null && !members.isEmpty()) {
      members.sort(Comparator.naturalOrder());
      groups.add(new ProcessGroup(name, description == null ? "" : description, members));
    }
  }

  private void members(List<Integer> members) {
    fields.array(
        () -> {
          Integer rank = fields.index(0, MOST_RANKS);
          if (rank != null) {
            members.add(rank);
          }
        });
  }

  EngineInput.Roster roster(Instant at) throws InvalidRecordException {
    ranks.sort(Comparator.comparingInt(JobRank::rank));
    Job read = new Job(RecordFields.required(job, "job"), ranks, groups);
    return new EngineInput.Roster(at, read, isEnded);
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, EngineInput.Roster roster) {
    out.writeStringProperty("job", roster.job().name());
    out.writeArrayPropertyStart("ranks");
    for (JobRank rank : roster.job().ranks()) {
      out.writeStartObject();
      out.writeNumberProperty("rank", rank.rank());
      if (rank.host() != null) {
        out.writeStringProperty("host", rank.host());
      }
      Integer gpu = rank.gpu();
      if (gpu != null) {
        out.writeNumberProperty("gpu", gpu);
      }
      if (rank.port() != null) {
        out.writeStringProperty("port", rank.port());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayPropertyStart("groups");
    for (ProcessGroup group : roster.job().groups()) {
      out.writeStartObject();
      out.writeStringProperty("name", group.name());
      if (!group.description().isEmpty()) {
        out.writeStringProperty("description", group.description());
      }
      out.writeArrayPropertyStart("ranks");
      group.ranks().forEach(out::writeNumber);
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeBooleanProperty("ended", roster.ended());
  }
}
