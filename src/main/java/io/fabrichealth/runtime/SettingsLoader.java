package io.fabrichealth.runtime;

import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.notify.Receiver;
import io.fabrichealth.topology.Fabric;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * Reads the settings from the environment that Spring Boot prepares (files, environment variables,
 * command line) and from the files that they name; again and again while the service runs.
 */
public final class SettingsLoader {
  /** The file that is read where the command line names none. */
  public static final Path DEFAULT_FILE = Path.of("config", "fabric-health.yaml");

  /** The property that names a configuration file instead of {@link #DEFAULT_FILE}. */
  public static final String LOCATION = "spring.config.additional-location";

  private static final String ROOT = "fabric-health";
  private static final List<String> OTHER_ROOTS =
      List.of("debug", "info", "logging", "management", "server", "spring", "springdoc", "trace");

  private final ConfigurableEnvironment environment;
  private final Set<Path> watched = new LinkedHashSet<>();
  private final TargetDiscovery discovery = new TargetDiscovery();
  private Set<Path> lastRead = Set.of();

  private SettingsLoader(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  /** For an environment whose files have been read. */
  public static SettingsLoader of(ConfigurableEnvironment environment) {
    return new SettingsLoader(environment);
  }

  /** The settings without any file: the defaults, and no target. */
  public static Settings none() {
    return of(new StandardEnvironment()).load();
  }

  /**
   * The settings of one file, as the service would have them.
   *
   * @param askServers whether servers that list targets are asked, once
   * @throws SettingsException where something is wrong with them
   */
  public static Settings read(Path file, boolean askServers) {
    if (!Files.isRegularFile(file)) {
      throw failure(file, "there is no such file", "the path of a YAML file");
    }
    ConfigurableEnvironment given = new StandardEnvironment();
    given
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "arguments", Map.of(LOCATION, "file:" + file.toAbsolutePath().normalize())));
    SettingsLoader loader = of(given);
    Settings settings = loader.load(loader.fresh(), true);
    if (!askServers || loader.discovery.servers().isEmpty()) {
      return settings;
    }
    try {
      List<SettingsProblem> unanswered = new CopyOnWriteArrayList<>();
      HttpDiscovery.askOnce(
          loader.discovery,
          loader.discovery.servers(),
          (server, problem) ->
              unanswered.add(
                  new SettingsPlace(null, server.name(), 0, 0).problem(null, problem, null)));
      return loader.load(loader.fresh(), true).without(unanswered);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(file, "reading it was interrupted", null);
    }
  }

  /**
   * The settings as they stand in the environment.
   *
   * @throws SettingsException where something is wrong with them
   */
  public synchronized Settings load() {
    return load(environment, true);
  }

  /**
   * The settings as they stand in the files now; the rest of the environment is as it was.
   *
   * @throws SettingsException where something is wrong with them, or a file has gone
   */
  public synchronized Settings reload() {
    for (Path file : lastRead) {
      if (!Files.exists(file)) {
        throw failure(file, "the file has gone", null);
      }
    }
    return load(fresh(), false);
  }

  /** Files whose change may change the settings, whether they exist or not. */
  public synchronized Set<Path> watched() {
    Set<Path> all = new LinkedHashSet<>(watched);
    all.addAll(discovery.files());
    return all;
  }

  /** The lists of targets that the settings name. */
  TargetDiscovery discovery() {
    return discovery;
  }

  private Settings load(ConfigurableEnvironment from, boolean strict) {
    Set<Path> read = new LinkedHashSet<>();
    watched.addAll(SettingsFiles.named(from));
    try {
      Settings settings = new Loading(from, read).settings(discovery, strict);
      lastRead = settings.files();
      return settings;
    } finally {
      watched.addAll(read);
    }
  }

  /** The environment with its files read anew. */
  private ConfigurableEnvironment fresh() {
    ConfigurableEnvironment fresh = new StandardEnvironment();
    fresh
        .getPropertySources()
        .forEach(source -> fresh.getPropertySources().remove(source.getName()));
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (!(source instanceof OriginTrackedMapPropertySource)
          && !"configurationProperties".equals(source.getName())) {
        fresh.getPropertySources().addLast(source);
      }
    }
    SettingsFiles.check(environment);
    try {
      ConfigDataEnvironmentPostProcessor.applyTo(
          fresh,
          new DefaultResourceLoader(),
          new DefaultBootstrapContext(),
          Arrays.asList(environment.getActiveProfiles()));
    } catch (ConfigDataException e) {
      throw new SettingsException(
          List.of(SettingsPlace.NOWHERE.problem(null, String.valueOf(e.getMessage()), null)));
    }
    return fresh;
  }

  private static SettingsException failure(Path file, String problem, @Nullable String allowed) {
    return new SettingsException(
        List.of(SettingsPlace.of(file, 0, 0).problem(null, problem, allowed)));
  }

  /** One pass over an environment. */
  private static final class Loading {
    private static final int FEWEST_READINGS = 100;
    private static final int MOST_READINGS = 500_000;

    private final ConfigurableEnvironment from;
    private final Set<Path> files;
    private final List<SettingsProblem> problems = new ArrayList<>();
    private final Set<String> misspelt = new HashSet<>();

    Loading(ConfigurableEnvironment from, Set<Path> files) {
      this.from = from;
      this.files = files;
    }

    Settings settings(TargetDiscovery discovery, boolean strict) {
      for (PropertySource<?> source : from.getPropertySources()) {
        if (source instanceof OriginTrackedMapPropertySource tracked) {
          checkRoots(tracked);
        }
      }
      checkEmptyRoots();
      SettingsBinding binding =
          new SettingsBinding(ROOT, from.getPropertySources(), from.getPropertySources(), problems);
      SettingsProperties written = binding.bind(SettingsProperties.class);
      SettingsEntry entry = new SettingsEntry(binding, ROOT, "", problems, files);
      SettingsTargets targets =
          new SettingsTargets(written.collect(), entry.at("collect"), new SettingsBundles(from));
      targets.add(written.collect(), entry.at("collect"));
      addTargetsFile(written.collect().targetsFile(), entry.at("collect"), targets);
      List<SettingsProblem> leftOut =
          discovered(discovery.pass(targets, strict), written.collect(), entry.at("collect"));
      Path topology =
          written.topology() == null ? null : entry.file("topology", written.topology());
      Fabric plan = topology == null ? null : plan(topology);
      Thresholds thresholds = thresholds(written.thresholds(), entry);
      List<Receiver> receivers =
          SettingsNotifications.receivers(written.notifications(), entry.at("notifications"));
      Path dataDir = dataDir(written.dataDir(), entry);
      SettingsJobs uploads = SettingsJobs.of(written.jobs(), entry.at("jobs"));
      int maxReadings = maxReadings(written.collect(), entry.at("collect"));
      if (!problems.isEmpty()) {
        throw new SettingsException(problems);
      }
      return new Settings(
          dataDir,
          topology,
          plan,
          targets.snmp().targets().targets(),
          targets.prometheus().targets().targets(),
          targets.gnmi().targets().targets(),
          targets.infiniband().targets().targets(),
          targets.queries().targets().targets(),
          targets.jobs().targets().targets(),
          uploads,
          receivers,
          thresholds,
          leftOut,
          maxReadings,
          files);
    }

    private List<SettingsProblem> discovered(
        TargetDiscovery.Pass pass, SettingsProperties.Collect written, SettingsEntry entry) {
      SettingsProperties.Snmp snmp = written.snmp();
      pass.add(TargetGroups.Kind.SNMP, snmp.fileSd(), snmp.httpSd(), entry.at("snmp"));
      SettingsProperties.Prometheus prometheus = written.prometheus();
      pass.add(
          TargetGroups.Kind.PROMETHEUS,
          prometheus.fileSd(),
          prometheus.httpSd(),
          entry.at("prometheus"));
      SettingsProperties.Gnmi gnmi = written.gnmi();
      pass.add(TargetGroups.Kind.GNMI, gnmi.fileSd(), gnmi.httpSd(), entry.at("gnmi"));
      problems.addAll(pass.problems());
      return pass.leftOut();
    }

    private void addTargetsFile(
        @Nullable String written, SettingsEntry entry, SettingsTargets targets) {
      Path file = written == null ? null : entry.file("targets-file", written);
      if (file == null) {
        return;
      }
      try {
        List<PropertySource<?>> values = List.of(TargetsFile.read(file));
        SettingsBinding binding =
            new SettingsBinding(TargetsFile.PREFIX, values, from.getPropertySources(), problems);
        TargetsFile.Content content = binding.bind(TargetsFile.Content.class);
        SettingsEntry inFile = new SettingsEntry(binding, TargetsFile.PREFIX, "", problems, files);
        targets.add(content, inFile);
      } catch (SettingsException e) {
        problems.addAll(e.problems());
      }
    }

    private @Nullable Fabric plan(Path file) {
      try {
        return TopologyFile.read(file);
      } catch (SettingsException e) {
        problems.addAll(e.problems());
        return null;
      }
    }

    private Thresholds thresholds(@Nullable String written, SettingsEntry entry) {
      Path file = written == null ? null : entry.file("thresholds", written);
      try {
        return file == null ? ThresholdCatalogue.load() : ThresholdCatalogue.read(file);
      } catch (SettingsException e) {
        problems.addAll(e.problems());
        return ThresholdCatalogue.load();
      }
    }

    private static int maxReadings(SettingsProperties.Collect written, SettingsEntry entry) {
      Integer most = written.maxReadingsPerDevice();
      if (most == null) {
        return MOST_READINGS;
      }
      if (most < FEWEST_READINGS) {
        entry.reject(
            "max-readings-per-device",
            "'" + most + "' is out of range",
            FEWEST_READINGS + " or more");
      }
      return most;
    }

    private static Path dataDir(@Nullable String written, SettingsEntry entry) {
      try {
        return Path.of(written == null || written.isBlank() ? "./data" : written);
      } catch (InvalidPathException e) {
        entry.reject("data-dir", "'" + written + "' is no path", "the path of a directory");
        return Path.of("data");
      }
    }

    /** Notes the files that were read, and checks their first keys. */
    private void checkRoots(EnumerablePropertySource<?> source) {
      for (String name : source.getPropertyNames()) {
        Origin origin = ((OriginTrackedMapPropertySource) source).getOrigin(name);
        Path file =
            origin instanceof TextResourceOrigin text && text.getResource() != null
                ? SettingsPlace.file(text.getResource())
                : null;
        if (file != null) {
          files.add(file.toAbsolutePath().normalize());
          String root = name.split("[.\\[]", 2)[0];
          checkRoot(root, SettingsPlace.of(origin, source.getName()));
        }
      }
    }

    /** A first key with nothing below it is no property. */
    private void checkEmptyRoots() {
      for (Path file : SettingsFiles.named(from)) {
        if (Files.isRegularFile(file) && !file.toString().endsWith(".properties")) {
          files.add(file);
          for (SettingsDocument.Node document : SettingsDocument.readAll(file)) {
            if (document instanceof SettingsDocument.Fields fields) {
              fields.values().forEach((key, value) -> checkRoot(key.split("\\.")[0], value.at()));
            }
          }
        }
      }
    }

    /** A misspelt first key would hide all that stands below it. */
    private void checkRoot(String root, SettingsPlace at) {
      if (!isKnownRoot(root) && misspelt.add(root)) {
        List<String> known = new ArrayList<>(OTHER_ROOTS);
        known.addFirst(ROOT);
        problems.add(
            at.problem(root, SettingsNames.unknown("key", root, known), String.join(", ", known)));
      }
    }

    private static boolean isKnownRoot(String root) {
      return OTHER_ROOTS.contains(root)
          || root.replaceAll("[-_]", "").equalsIgnoreCase("fabrichealth");
    }
  }
}
