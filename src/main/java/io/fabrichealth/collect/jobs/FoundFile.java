package io.fabrichealth.collect.jobs;

import java.io.InputStream;

/**
 * A file that was found, opened.
 *
 * @param path for people
 * @param directory that it lies in; archives count as directories
 * @param name without directory
 * @param content read once; closed by whoever opened it
 */
record FoundFile(String path, String directory, String name, InputStream content) {
  FoundFile with(InputStream other) {
    return new FoundFile(path, directory, name, other);
  }

  FoundFile unpacked(InputStream other) {
    String shorter =
        name.endsWith(".gz") || name.endsWith(".GZ") ? name.substring(0, name.length() - 3) : name;
    return new FoundFile(path, directory, shorter, other);
  }
}
