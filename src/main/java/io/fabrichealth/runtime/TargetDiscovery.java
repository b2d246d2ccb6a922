package io.fabrichealth.runtime;

import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsProperties.FileSd;
import io.fabrichealth.runtime.SettingsProperties.HttpSd;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.PropertySource;

/**
 * The lists of targets that files and servers give, each as it last was right: a wrong one takes
 * nothing from what is read.
 */
final class TargetDiscovery {
  /** By name of the list. */
  private final Map<String, PropertySource<?>> good = new HashMap<>();

  /** By name of the list, what its server last answered. */
  private final Map<String, byte[]> answers = new ConcurrentHashMap<>();

  private Set<String> wrong = Set.of();
  private Set<Path> patterns = Set.of();
  private Set<HttpSource> servers = Set.of();

  /**
   * A server answered; the next pass takes it.
   *
   * @return whether it is another answer than the last
   */
  synchronized boolean answered(HttpSource from, byte[] answer) {
    byte[] before = answers.put(from.key(), answer);
    return !Arrays.equals(before, answer);
  }

  /** Servers that the last settings name. */
  synchronized Set<HttpSource> servers() {
    return servers;
  }

  /** How many lists were wrong when they were last looked at. */
  synchronized int wrong() {
    return wrong.size();
  }

  /** Files that list targets, as they are there now. */
  Set<Path> files() {
    Set<Path> named;
    synchronized (this) {
      named = patterns;
    }
    Set<Path> files = new TreeSet<>();
    named.forEach(pattern -> files.addAll(matching(pattern)));
    return files;
  }

  /** The file, or those of its folder that the name stands for. */
  private static Set<Path> matching(Path pattern) {
    Path folder = pattern.getParent();
    String name = String.valueOf(pattern.getFileName());
    Set<Path> files = new TreeSet<>();
    if (!name.contains("*") && !name.contains("?")) {
      if (Files.isRegularFile(pattern)) {
        files.add(pattern);
      }
    } else if (folder != null && Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, name)) {
        found.forEach(files::add);
      } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
        return Set.of();
      }
    }
    return files;
  }

  Pass pass(SettingsTargets targets, boolean strict) {
    return new Pass(targets, strict);
  }

  /** One look at all lists. */
  final class Pass {
    private final SettingsTargets targets;
    private final boolean strict;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Set<String> wrongOnes = new LinkedHashSet<>();
    private final Set<Path> named = new LinkedHashSet<>();
    private final Set<HttpSource> asked = new LinkedHashSet<>();
    private final List<SettingsProblem> leftOut = new ArrayList<>();
    private final List<SettingsProblem> problems = new ArrayList<>();

    /**
     * @param strict whether a list that is wrong, and never was right, is a problem
     */
    private Pass(SettingsTargets targets, boolean strict) {
      this.targets = targets;
      this.strict = strict;
    }

    /**
     * @param entry of the collector
     */
    void add(
        TargetGroups.Kind kind,
        @Nullable List<FileSd> files,
        @Nullable List<HttpSd> http,
        SettingsEntry entry) {
      for (int i = 0; files != null && i < files.size(); i++) {
        if (files.get(i) != null) {
          addFiles(kind, files.get(i), entry.at("file-sd[" + i + "]"));
        }
      }
      for (int i = 0; http != null && i < http.size(); i++) {
        if (http.get(i) != null) {
          addServer(HttpSource.of(http.get(i), kind, entry.at("http-sd[" + i + "]")));
        }
      }
    }

    private void addFiles(TargetGroups.Kind kind, FileSd written, SettingsEntry entry) {
      List<String> paths = written.files() == null ? List.of() : written.files();
      if (paths.isEmpty() && !entry.failed("files")) {
        entry.reject("files", "names no file", "a list of paths");
      }
      for (int i = 0; i < paths.size(); i++) {
        String key = "files[" + i + "]";
        String path = entry.required(key, paths.get(i));
        Path pattern = path.isEmpty() ? null : entry.path(key, path);
        if (pattern != null) {
          named.add(pattern);
          Set<Path> found = matching(pattern);
          if (found.isEmpty()) {
            leftOut.add(entry.place(key).problem(null, "there is no file " + pattern, null));
          }
          for (Path file : found) {
            addList(kind, kind + " " + file, () -> SettingsDocument.read(file));
          }
        }
      }
    }

    private void addServer(HttpSource server) {
      asked.add(server);
      byte[] answer = answers.get(server.key());
      if (answer != null) {
        addList(server.kind(), server.key(), () -> SettingsDocument.read(answer, server.name()));
      }
    }

    private void addList(TargetGroups.Kind kind, String name, Supplier<Node> document) {
      if (!seen.add(name)) {
        return;
      }
      PropertySource<?> former = good.get(name);
      List<SettingsProblem> found = new ArrayList<>();
      try {
        PropertySource<?> values = TargetGroups.read(document.get(), kind);
        if (addTargets(values, found)) {
          good.put(name, values);
          return;
        }
      } catch (SettingsException e) {
        found.addAll(e.problems());
      }
      wrongOnes.add(name);
      (strict && former == null ? problems : leftOut).addAll(found);
      if (former != null && !addTargets(former, new ArrayList<>())) {
        good.remove(name);
      }
    }

    private boolean addTargets(PropertySource<?> values, List<SettingsProblem> found) {
      // Without anything to look references up in: whoever writes the list gets no secret of ours.
      SettingsBinding binding =
          new SettingsBinding(TargetGroups.PREFIX, List.of(values), List.of(), found);
      TargetsFile.Content content = binding.bind(TargetsFile.Content.class);
      targets.addDiscovered(
          content,
          new SettingsEntry(binding, TargetGroups.PREFIX, "", found, new LinkedHashSet<>()),
          found,
          new SettingsEntry(binding, TargetGroups.PREFIX, "", leftOut, new LinkedHashSet<>()));
      return found.isEmpty();
    }

    /** What is wrong with lists that never were right. */
    List<SettingsProblem> problems() {
      return problems;
    }

    /** Ends the pass. */
    List<SettingsProblem> leftOut() {
      synchronized (TargetDiscovery.this) {
        good.keySet().retainAll(seen);
        answers.keySet().retainAll(asked.stream().map(HttpSource::key).toList());
        wrong = Set.copyOf(wrongOnes);
        patterns = Set.copyOf(named);
        servers = Set.copyOf(asked);
      }
      return leftOut;
    }
  }
}
