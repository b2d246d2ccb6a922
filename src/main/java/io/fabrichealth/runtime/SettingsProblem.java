package io.fabrichealth.runtime;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with the configuration. Never holds a secret.
 *
 * @param file as the user would name it; {@code command line} where the value stands there
 * @param line from 1; 0 where the source has no lines
 * @param column from 1; 0 where the source has no lines
 * @param key the full key, for example {@code fabric-health.collect.snmp.interval}; null where the
 *     file as a whole cannot be read
 * @param problem what was found
 * @param allowed what would be right; null where the problem says it
 */
public record SettingsProblem(
    String file,
    int line,
    int column,
    @Nullable String key,
    String problem,
    @Nullable String allowed) {

  /** {@code file:line:column}, as editors understand it. */
  public String where() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }

  @Override
  public String toString() {
    return where()
        + ": "
        + (key == null ? "" : key + ": ")
        + problem
        + (allowed == null ? "" : "; allowed: " + allowed);
  }
}
