package io.fabrichealth.collect.jobs;

import org.jspecify.annotations.Nullable;

/**
 * What became of a file.
 *
 * @param path as given, for people; of a file in an archive with the archive's before it
 * @param records that were taken: entries of a recorder, lines of a log
 * @param skipped records that were there and were not taken
 * @param reason why not all was taken; null where all was
 */
public record InputFile(
    String path, InputKind kind, long records, long skipped, @Nullable String reason) {}
