package io.fabrichealth.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.io.Resource;

/**
 * Where a value stands.
 *
 * @param file null where it does not stand in a file
 * @param name of the file or of the other source, as the user would say it
 * @param line from 1; 0 where unknown
 */
record SettingsPlace(@Nullable Path file, String name, int line, int column) {
  /** As Spring Boot names what it read from a file. */
  private static final Pattern OF_FILE = Pattern.compile("^Config resource 'file \\[([^]]+)]'");

  static final SettingsPlace NOWHERE = new SettingsPlace(null, "configuration", 0, 0);

  static SettingsPlace of(Path file, int line, int column) {
    return new SettingsPlace(file, display(file), line, column);
  }

  static SettingsPlace of(@Nullable Origin origin, String source) {
    if (origin instanceof PropertySourceOrigin wrapped) {
      return of(wrapped.getOrigin(), source);
    }
    if (origin instanceof TextResourceOrigin text && text.getResource() != null) {
      TextResourceOrigin.Location at = text.getLocation();
      int line = at == null ? 0 : at.getLine() + 1;
      int column = at == null ? 0 : at.getColumn() + 1;
      Path file = file(text.getResource());
      return file == null
          ? new SettingsPlace(null, text.getResource().getDescription(), line, column)
          : of(file, line, column);
    }
    // Of an empty object, Spring Boot tells no line.
    Matcher file = OF_FILE.matcher(source);
    return file.find()
        ? of(Path.of(file.group(1)), 0, 0)
        : new SettingsPlace(null, sourceName(source), 0, 0);
  }

  String where() {
    return line == 0 ? name : name + ":" + line + ":" + column;
  }

  SettingsProblem problem(@Nullable String key, String problem, @Nullable String allowed) {
    return new SettingsProblem(name, line, column, key, problem, allowed);
  }

  /** The path that the value means: relative to its file, or to the working directory. */
  Path resolve(String path) {
    Path parent = file == null ? null : file.toAbsolutePath().getParent();
    return parent == null ? Path.of(path) : parent.resolve(path).normalize();
  }

  /** A file below the working directory by its relative path, any other by its absolute one. */
  static String display(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path here = Path.of("").toAbsolutePath();
    return (absolute.startsWith(here) ? here.relativize(absolute) : absolute).toString();
  }

  static @Nullable Path file(Resource resource) {
    try {
      boolean ours = resource.getDescription().startsWith("class path resource");
      return !ours && resource.isFile() ? resource.getFile().toPath() : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static String sourceName(String source) {
    return switch (source) {
      case "commandLineArgs" -> "command line";
      case "systemEnvironment" -> "environment variable";
      case "systemProperties" -> "system property";
      default -> source;
    };
  }
}
