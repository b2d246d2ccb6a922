package io.fabrichealth.runtime;

import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * One element of the configuration while it is checked: knows the place of its keys, and collects
 * what is wrong with them.
 */
final class SettingsEntry {
  static final Duration SHORTEST = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofHours(1);

  /** Stands for a wrong one until all that is wrong has been found. */
  static final URI NO_URL = URI.create("http://localhost");

  private static final int LARGEST_PORT = 65_535;

  private final SettingsBinding binding;
  private final String root;
  private final String prefix;
  private final List<SettingsProblem> problems;
  private final Set<Path> files;

  /**
   * @param root of the binding, for messages
   * @param prefix of the entry below the root; empty for the root itself
   * @param files files that the entry names are added here
   */
  SettingsEntry(
      SettingsBinding binding,
      String root,
      String prefix,
      List<SettingsProblem> problems,
      Set<Path> files) {
    this.binding = binding;
    this.root = root;
    this.prefix = prefix;
    this.problems = problems;
    this.files = files;
  }

  SettingsEntry at(String key) {
    return new SettingsEntry(binding, root, key(key), problems, files);
  }

  SettingsPlace place(String key) {
    return binding.place(key(key));
  }

  void reject(String key, String problem, @Nullable String allowed) {
    String full = key(key);
    problems.add(
        binding.place(full).problem(full.isEmpty() ? root : root + "." + full, problem, allowed));
  }

  /** Whether the key was found and is wrong, so that nothing more need be said of it. */
  boolean failed(String key) {
    return binding.failed(key(key));
  }

  /** Whether anything stands under the key, right or wrong. */
  boolean says(String key) {
    return binding.place(key(key)) != SettingsPlace.NOWHERE;
  }

  /** The text; an empty one, and a problem, where there is none. */
  String required(String key, @Nullable String value) {
    if (value == null || value.isBlank()) {
      if (!failed(key)) {
        reject(
            value == null ? "" : key,
            value == null ? "'" + key + "' is missing" : "is empty",
            "a text");
      }
      return "";
    }
    if (holdsControl(value)) {
      reject(key, "holds a control character", "a text of one line");
      return "";
    }
    return value.strip();
  }

  /** What would break a line of a log, or a header. */
  private static boolean holdsControl(String value) {
    return value.strip().chars().anyMatch(Character::isISOControl);
  }

  /**
   * The name of a target, once in a collector.
   *
   * @param seen names so far, with their places
   */
  String unique(String key, @Nullable String value, Map<String, SettingsPlace> seen) {
    String name = required(key, value);
    if (name.isEmpty()) {
      return name;
    }
    SettingsPlace before = seen.putIfAbsent(name, place(key));
    if (before != null) {
      reject(
          key,
          "'" + name + "' stands here a second time, the first is at " + before.where(),
          "each " + key + " once in a collector");
    }
    return name;
  }

  /** A host name or an IP address. */
  String address(@Nullable String value) {
    String address = required("address", value);
    if (address.contains("/") || address.contains(" ")) {
      reject("address", "'" + address + "' is no address", "a host name or an IP address");
    }
    return address;
  }

  int port(String key, @Nullable Integer value, int absent) {
    int port = value == null ? absent : value;
    if (value != null && (port < 1 || port > LARGEST_PORT)) {
      reject(key, "'" + port + "' is out of range", "1 to " + LARGEST_PORT);
    }
    return port;
  }

  /** The absolute URL, without credentials; {@link #NO_URL}, and a problem, where it is none. */
  URI url(String key, @Nullable String value) {
    String allowed = "http://host:port/path or https://host:port/path, without user or password";
    String written = required(key, value);
    String shown = written.replaceFirst("\\?.*", ""); // a query may hold a secret
    if (written.isEmpty()) {
      return NO_URL;
    }
    try {
      URI url = URI.create(written);
      if (url.getRawUserInfo() != null) {
        reject(key, "holds credentials", allowed);
      } else if (url.getHost() == null
          || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        reject(key, "'" + shown + "' is no URL that can be scraped", allowed);
      } else if (url.getPort() == 0 || url.getPort() > LARGEST_PORT) {
        reject(key, "port " + url.getPort() + " is out of range", "a port of 1 to " + LARGEST_PORT);
      } else {
        return url;
      }
    } catch (IllegalArgumentException e) {
      reject(key, "'" + shown + "' is no URL", allowed);
    }
    return NO_URL;
  }

  /** The path, whether anything is there or not; null, and a problem, where it is none. */
  @Nullable Path path(String key, String value) {
    try {
      return place(key).resolve(value.strip()).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      reject(key, "'" + value + "' is no path: " + e.getReason(), "a path");
      return null;
    }
  }

  Role role(@Nullable String value, Role absent) {
    if (value == null) {
      return absent;
    }
    for (Role role : Role.values()) {
      if (role.name().equalsIgnoreCase(value.strip())) {
        return role;
      }
    }
    List<String> names =
        Arrays.stream(Role.values()).map(role -> role.name().toLowerCase(Locale.ROOT)).toList();
    reject("role", SettingsNames.unknown("role", value, names), String.join(", ", names));
    return absent;
  }

  /** The name as it is known, which is compared without regard to case and dashes. */
  String oneOf(String key, @Nullable String value, String absent, List<String> known) {
    if (value == null) {
      return absent;
    }
    for (String name : known) {
      if (name.equalsIgnoreCase(value.strip().replace("-", ""))) {
        return name;
      }
    }
    reject(key, SettingsNames.unknown("value", value, known), String.join(", ", known));
    return absent;
  }

  Duration duration(String key, @Nullable Duration value, Duration absent) {
    return duration(key, value, absent, LONGEST);
  }

  /** Of what changes slowly. */
  Duration longDuration(String key, @Nullable Duration value, Duration absent) {
    return duration(key, value, absent, Duration.ofHours(24));
  }

  private Duration duration(
      String key, @Nullable Duration value, Duration absent, Duration longest) {
    if (value == null) {
      return absent;
    }
    if (value.compareTo(SHORTEST) < 0 || value.compareTo(longest) > 0) {
      reject(
          key,
          "'" + Settings.text(value) + "' is out of range",
          "a duration from " + Settings.text(SHORTEST) + " to " + longest.toHours() + "h");
      return absent;
    }
    return value;
  }

  /** Size of an answer. */
  long maxBytes(@Nullable DataSize value, long absent) {
    return size("max-bytes", value, absent, 1);
  }

  /** Bytes; from 1KB to so many gigabytes. */
  long size(String key, @Nullable DataSize value, long absent, int mostGigabytes) {
    if (value == null) {
      return absent;
    }
    if (value.compareTo(DataSize.ofKilobytes(1)) < 0
        || value.compareTo(DataSize.ofGigabytes(mostGigabytes)) > 0) {
      reject(key, "'" + value + "' is out of range", "1KB to " + mostGigabytes + "GB");
    }
    return value.toBytes();
  }

  /** A timeout that was given must not be longer than the interval; a default gives way to it. */
  Duration timeout(@Nullable Duration value, Duration absent, Duration interval) {
    if (value == null) {
      return absent.compareTo(interval) < 0 ? absent : interval;
    }
    Duration timeout = duration("timeout", value, absent);
    if (timeout.compareTo(interval) > 0) {
      reject(
          "timeout",
          "'" + Settings.text(value) + "' is longer than the interval",
          "a duration up to " + Settings.text(interval));
    }
    return timeout;
  }

  /** The secret from its key or from the file that {@code <key>-file} names; null for neither. */
  @Nullable String secret(String key, @Nullable String value, @Nullable String file) {
    String fileKey = key + "-file";
    if (file == null) {
      return value == null || !holdsControl(value) ? value : unusable(key);
    }
    if (value != null) {
      reject(fileKey, "stands beside '" + key + "'", "one of the two");
      return value;
    }
    Path path = file(fileKey, file);
    if (path == null) {
      return null;
    }
    try {
      String secret = Files.readString(path).strip();
      return holdsControl(secret) ? unusable(fileKey) : secret;
    } catch (IOException e) {
      reject(fileKey, SettingsPlace.display(path) + " cannot be read as text", "a readable file");
      return null;
    }
  }

  private @Nullable String unusable(String key) {
    reject(key, "holds a control character", "a secret of one line");
    return null;
  }

  /** A secret that must be there; an empty one, and a problem, where it is not. */
  String requiredSecret(String key, @Nullable String value, @Nullable String file) {
    String secret = secret(key, value, file);
    if (secret != null && !secret.isBlank()) {
      return secret;
    }
    if (secret != null) {
      reject(file == null ? key : key + "-file", "holds an empty secret", "a text");
    } else if (value == null && file == null && !failed(key) && !failed(key + "-file")) {
      reject("", "'" + key + "' is missing", "'" + key + "' or '" + key + "-file'");
    }
    return "";
  }

  /** The file that the path means; null, and a problem, where there is none. */
  @Nullable Path file(String key, String value) {
    try {
      Path path = place(key).resolve(value.strip()).toAbsolutePath().normalize();
      files.add(path);
      if (Files.isRegularFile(path)) {
        return path;
      }
      reject(key, "there is no file " + SettingsPlace.display(path), "the path of a file");
    } catch (InvalidPathException e) {
      reject(key, "'" + value + "' is no path: " + e.getReason(), "the path of a file");
    }
    return null;
  }

  private String key(String key) {
    List<String> parts = new ArrayList<>(List.of(prefix, key));
    parts.removeIf(String::isEmpty);
    return String.join(".", parts);
  }
}
