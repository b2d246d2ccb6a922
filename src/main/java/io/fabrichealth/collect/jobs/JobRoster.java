package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads which rank runs where: a capture's {@code job} record, the pods of a job as {@code kubectl
 * get pods -o json} prints them, or what Slurm says of it ({@code scontrol show job}, or a bare
 * hostlist). The last two name hosts; ranks are dealt to them in order, as many to each as it has
 * GPUs.
 */
public final class JobRoster {
  private static final long MOST_BYTES = 64L << 20;
  private static final int MOST_RANKS = 1 << 20;
  private static final int MOST_RANKS_A_HOST = 1_024;
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final Pattern NODES = Pattern.compile("(?m)(?:^|\\s)NodeList=(\\S+)");
  private static final Pattern NAME = Pattern.compile("(?:^|\\s)JobName=(\\S+)");
  private static final Pattern TASKS = Pattern.compile("(?:^|\\s)NumTasks=(\\d{1,7})");
  private static final Pattern GPUS =
      Pattern.compile("(?:TresPerNode|Gres)=(?:gres[:/])?gpu(?::[\\w.-]+)?[:=](\\d{1,4})");

  private static final Pattern MASTER = Pattern.compile(".*-(master|launcher)-\\d+");
  private static final Pattern INDEX = Pattern.compile("\\d{1,7}$");

  private JobRoster() {}

  /**
   * @param ranksPerHost 0 where the file tells it
   * @throws InvalidRosterException if the file is none of these, saying what is wrong
   */
  public static Job read(Path file, int ranksPerHost) throws IOException, InvalidRosterException {
    if (Files.size(file) > MOST_BYTES) {
      throw new InvalidRosterException("it is larger than %,d bytes".formatted(MOST_BYTES));
    }
    return of(Files.readString(file), ranksPerHost);
  }

  /** As {@link #read}, of the file's text. */
  public static Job of(String text, int ranksPerHost) throws InvalidRosterException {
    if (ranksPerHost < 0 || ranksPerHost > MOST_RANKS_A_HOST) {
      throw new InvalidRosterException(
          "%d ranks on a host: 1 to %,d".formatted(ranksPerHost, MOST_RANKS_A_HOST));
    }
    String start = text.strip();
    if (start.isEmpty()) {
      throw new InvalidRosterException("it is empty");
    }
    if (!start.startsWith("{")) {
      return slurm(start, ranksPerHost);
    }
    try {
      JsonNode json = MAPPER.readTree(start);
      return json.path("items").isArray() ? pods(json, ranksPerHost) : record(json);
    } catch (JacksonException problem) {
      throw new InvalidRosterException(
          "not JSON at line %d: %s"
              .formatted(problem.getLocation().getLineNr(), problem.getOriginalMessage()));
    }
  }

  private static Job record(JsonNode json) throws InvalidRosterException {
    JsonNode rows = json.path("ranks");
    if (!rows.isArray() || rows.isEmpty()) {
      throw new InvalidRosterException("ranks: a list of {\"rank\", \"host\", …} is expected");
    }
    List<JobRank> ranks = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      JsonNode row = rows.get(i);
      JsonNode rank = row.path("rank");
      if (!rank.isInt() || rank.intValue() < 0 || rank.intValue() >= MOST_RANKS) {
        throw new InvalidRosterException(
            "ranks[%d].rank: a number from 0 is expected".formatted(i));
      }
      ranks.add(
          new JobRank(
              rank.intValue(),
              text(row.path("host")),
              row.path("gpu").isInt() ? Integer.valueOf(row.path("gpu").intValue()) : null,
              text(row.path("port"))));
    }
    ranks.sort(Comparator.comparingInt(JobRank::rank));
    for (int i = 1; i < ranks.size(); i++) {
      if (ranks.get(i).rank() == ranks.get(i - 1).rank()) {
        throw new InvalidRosterException("ranks: rank %d twice".formatted(ranks.get(i).rank()));
      }
    }
    String name = text(json.path("job"));
    return new Job(name == null ? "-" : name, ranks, groups(json.path("groups")));
  }

  private static List<ProcessGroup> groups(JsonNode rows) throws InvalidRosterException {
    if (rows.isContainer() && !rows.isArray()) {
      throw new InvalidRosterException("groups: a list of {\"name\", \"ranks\"} is expected");
    }
    List<ProcessGroup> groups = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      String name = text(rows.get(i).path("name"));
      if (name == null || !rows.get(i).path("ranks").isArray()) {
        throw new InvalidRosterException("groups[%d]: name and ranks are expected".formatted(i));
      }
      List<Integer> members = new ArrayList<>();
      rows.get(i).path("ranks").forEach(rank -> members.add(rank.asInt(-1)));
      members.removeIf(rank -> rank < 0);
      members.sort(null);
      groups.add(new ProcessGroup(name, name, members));
    }
    return groups;
  }

  private record Pod(int index, String name, String host, int gpus) {}

  private static Job pods(JsonNode json, int ranksPerHost) throws InvalidRosterException {
    List<Pod> pods = new ArrayList<>();
    for (JsonNode item : json.path("items")) {
      String host = text(item.at("/spec/nodeName"));
      if (host != null) {
        JsonNode labels = item.at("/metadata/labels");
        String index = text(labels.path("batch.kubernetes.io/job-completion-index"));
        index = index == null ? text(labels.path("training.kubeflow.org/replica-index")) : index;
        String name = String.valueOf(text(item.at("/metadata/name")));
        pods.add(new Pod(index(index, name), name, host, gpus(item.at("/spec/containers"))));
      }
    }
    if (pods.isEmpty()) {
      throw new InvalidRosterException("items: no pod has a spec.nodeName");
    }
    pods.sort(Comparator.comparingInt(Pod::index).thenComparing(Pod::name));
    List<JobRank> ranks = new ArrayList<>();
    for (Pod pod : pods) {
      deal(ranks, pod.host(), ranksPerHost > 0 ? ranksPerHost : Math.max(pod.gpus(), 1));
    }
    return new Job("-", ranks, List.of());
  }

  /** The worker's number; the master of a job that has one comes first. */
  private static int index(@Nullable String label, String name) {
    if (MASTER.matcher(name).matches()) {
      return -1;
    }
    Matcher last = INDEX.matcher(label == null ? name : label);
    return last.find() ? Integer.parseInt(last.group()) : Integer.MAX_VALUE;
  }

  private static int gpus(JsonNode containers) {
    int gpus = 0;
    for (JsonNode container : containers) {
      for (var limit : container.at("/resources/limits").properties()) {
        if (limit.getKey().endsWith("/gpu")) {
          gpus += limit.getValue().asInt(0);
        }
      }
    }
    return Math.min(gpus, MOST_RANKS_A_HOST);
  }

  private static Job slurm(String text, int ranksPerHost) throws InvalidRosterException {
    Matcher nodes = NODES.matcher(text);
    boolean isJob = nodes.find();
    List<String> hosts = Hostlist.expand(isJob ? nodes.group(1) : text);
    int each = ranksPerHost;
    Matcher tasks = TASKS.matcher(text);
    Matcher gpus = GPUS.matcher(text);
    if (each == 0 && isJob) {
      int all = tasks.find() ? Integer.parseInt(tasks.group(1)) : 0;
      each = all >= hosts.size() && all % hosts.size() == 0 ? all / hosts.size() : 0;
      each = each <= 1 && gpus.find() ? Integer.parseInt(gpus.group(1)) : each;
    }
    if (each == 0) {
      throw new InvalidRosterException(
          "it names %d hosts, and not how many ranks each has".formatted(hosts.size()));
    }
    List<JobRank> ranks = new ArrayList<>();
    for (String host : hosts) {
      deal(ranks, host, each);
    }
    Matcher name = NAME.matcher(text);
    return new Job(name.find() ? name.group(1) : "-", ranks, List.of());
  }

  private static void deal(List<JobRank> ranks, String host, int count)
      throws InvalidRosterException {
    if (ranks.size() + count > MOST_RANKS) {
      throw new InvalidRosterException("more than %,d ranks".formatted(MOST_RANKS));
    }
    for (int gpu = 0; gpu < count; gpu++) {
      ranks.add(new JobRank(ranks.size(), host, gpu, null));
    }
  }

  private static @Nullable String text(JsonNode node) {
    return node.isString() && !node.stringValue().isBlank() ? node.stringValue() : null;
  }
}
