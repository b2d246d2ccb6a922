package io.fabrichealth.runtime;

import io.fabrichealth.topology.Fabric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plan that people put while the service runs. It outlives a restart in the data directory. A
 * plan that the configuration names stands above it and is changed in its file alone: there is one
 * place to look.
 */
public final class TopologyPlan implements SettingsListener {
  private static final Logger log = LoggerFactory.getLogger(TopologyPlan.class);
  private static final String FILE = "plan.json";

  private final Path directory;
  private volatile @Nullable Path configured;
  private volatile @Nullable Fabric stored;

  private TopologyPlan(Path directory, @Nullable Path configured, @Nullable Fabric stored) {
    this.directory = directory;
    this.configured = configured;
    this.stored = stored;
  }

  /**
   * Reads what was put before.
   *
   * @throws SettingsException where it is there and cannot be read
   */
  public static TopologyPlan open(Settings settings) {
    return open(settings.dataDir(), settings.topologyFile());
  }

  /**
   * The same.
   *
   * @param configured the file of the plan that the configuration names; null where it names none
   */
  public static TopologyPlan open(Path directory, @Nullable Path configured) {
    Path file = directory.resolve(FILE);
    Fabric stored = Files.exists(file) ? TopologyFile.read(file) : null;
    if (stored != null && configured != null) {
      log.warn("event=stored_plan_ignored reason=topology_is_configured file={}", configured);
    }
    return new TopologyPlan(directory, configured, stored);
  }

  @Override
  public void changed(Settings settings) {
    configured = settings.topologyFile();
  }

  /** Where the plan is kept that people put. */
  public Path directory() {
    return directory;
  }

  /** The plan that people put last; null where none did, or the configuration names one. */
  public @Nullable Fabric stored() {
    return configured == null ? stored : null;
  }

  /** The file of the plan that the configuration names; null where it names none. */
  public @Nullable Path configured() {
    return configured;
  }

  /** The plan that holds under these settings. */
  Fabric of(Settings settings) {
    Fabric put = stored;
    Fabric planned = settings.plan();
    if (settings.topologyFile() == null && put != null) {
      return put;
    }
    return planned == null ? Fabric.EMPTY : planned;
  }

  /**
   * Reads a plan in our own form.
   *
   * @param json whether it is JSON, else YAML
   * @throws SettingsException with all that is wrong with it, each with its line
   */
  public static Fabric read(byte[] body, boolean json) {
    return TopologyFile.read(body, json);
  }

  /** A plan before and after a change. */
  public record Change(Fabric before, Fabric after) {}

  /**
   * Makes another plan of the one that holds, which holds from now on, also after a restart.
   *
   * @param running the plan that holds where none was put yet
   * @param dryRun whether only to say what would be
   * @throws UncheckedIOException where it cannot be stored; then nothing changed
   * @throws IllegalStateException where the configuration names a plan and it is no dry run
   */
  public synchronized Change change(Fabric running, UnaryOperator<Fabric> change, boolean dryRun) {
    Fabric put = stored;
    Fabric before = put == null || configured != null ? running : put;
    Fabric after = change.apply(before);
    if (dryRun) {
      return new Change(before, after);
    }
    if (configured != null) {
      throw new IllegalStateException("the plan is configured in " + configured);
    }
    try {
      Files.createDirectories(directory);
      PlanFile.write(after, directory.resolve(FILE));
    } catch (IOException e) {
      throw new UncheckedIOException("the plan was not stored", e);
    }
    stored = after;
    log.info("event=plan_put devices={} links={}", after.devices().size(), after.links().size());
    return new Change(before, after);
  }
}
