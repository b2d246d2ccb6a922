package io.fabrichealth.runtime;

import io.fabrichealth.topology.Fabric;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    Path file = settings.dataDir().resolve(FILE);
    Fabric stored = Files.exists(file) ? TopologyFile.read(file) : null;
    Path configured = settings.topologyFile();
    if (stored != null && configured != null) {
      log.warn("event=stored_plan_ignored reason=topology_is_configured file={}", configured);
    }
    return new TopologyPlan(settings.dataDir(), configured, stored);
  }

  @Override
  public void changed(Settings settings) {
    configured = settings.topologyFile();
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
  public Fabric read(InputStream body, boolean json) throws IOException {
    Files.createDirectories(directory);
    Path file = Files.createTempFile(directory, "plan", json ? ".json" : ".yaml");
    try {
      Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
      return TopologyFile.read(file);
    } catch (SettingsException e) {
      throw new SettingsException(
          e.problems().stream()
              .map(
                  problem ->
                      new SettingsProblem(
                          "body",
                          problem.line(),
                          problem.column(),
                          problem.key(),
                          problem.problem().replace(SettingsPlace.display(file), "body"),
                          problem.allowed()))
              .toList());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /**
   * From now on this is the plan, also after a restart.
   *
   * @throws UncheckedIOException where it cannot be stored; then nothing changed
   * @throws IllegalStateException where the configuration names a plan
   */
  public synchronized void put(Fabric plan) {
    if (configured != null) {
      throw new IllegalStateException("the plan is configured in " + configured);
    }
    try {
      Files.createDirectories(directory);
      PlanFile.write(plan, directory.resolve(FILE));
    } catch (IOException e) {
      throw new UncheckedIOException("the plan was not stored", e);
    }
    stored = plan;
    log.info("event=plan_put devices={} links={}", plan.devices().size(), plan.links().size());
  }

  /** The plan that is put; null where none is. */
  public @Nullable Fabric stored() {
    return stored;
  }
}
