package io.fabrichealth.collect.gnmi;

import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Reads the profiles: all files {@code gnmi/*.yaml} on the class path, so that a site adds its own
 * by putting one there. The name of a profile is that of its file.
 */
final class ProfileLoader {
  private static final String FILES = "classpath*:gnmi/*.yaml";
  private static final String END = ".yaml";

  private final SignalDictionary dictionary;
  private final Map<String, ProfileFile> files = new TreeMap<>();

  ProfileLoader(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** With the files on the class path. */
  static ProfileLoader shipped(SignalDictionary dictionary) {
    ProfileLoader loader = new ProfileLoader(dictionary);
    try {
      for (Resource found : new PathMatchingResourcePatternResolver().getResources(FILES)) {
        try (InputStream in = found.getInputStream()) {
          loader.add(String.valueOf(found.getFilename()), in);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return loader;
  }

  /**
   * Takes one file in.
   *
   * @throws IllegalArgumentException where it is not what is expected
   */
  void add(String file, InputStream in) {
    String name = file.endsWith(END) ? file.substring(0, file.length() - END.length()) : file;
    if (files.put(name, ProfileFile.read(file, in)) != null) {
      throw new IllegalArgumentException(file + ": is there twice");
    }
  }

  Set<String> names() {
    return files.keySet();
  }

  /** The file as it is written. */
  ProfileFile file(String name) {
    ProfileFile file = files.get(name);
    if (file == null) {
      throw new IllegalArgumentException(
          "profile '" + name + "' is none of " + String.join(", ", names()));
    }
    return file;
  }

  /**
   * The profile with all that it includes.
   *
   * @throws IllegalArgumentException where there is none of that name, or where it does not hold
   *     what is expected
   */
  Profile profile(String name) {
    ProfileCompiler compiler = new ProfileCompiler(name, dictionary);
    for (String part : parts(name)) {
      compiler.add(part + END, file(part));
    }
    return compiler.compile();
  }

  /** The names of the file and of all that it includes, each once, itself first. */
  Set<String> parts(String name) {
    Set<String> parts = new LinkedHashSet<>();
    collect(name, parts);
    return parts;
  }

  private void collect(String name, Set<String> parts) {
    if (parts.add(name)) {
      List<String> included = file(name).include();
      if (included != null) {
        for (String other : included) {
          if (!files.containsKey(other)) {
            throw new IllegalArgumentException(
                name + END + ": include: '" + other + "' is none of " + names());
          }
          collect(other, parts);
        }
      }
    }
  }
}
