package io.fabrichealth.collect.jobs;

/**
 * How much is read.
 *
 * @param files with those in archives
 * @param dumpBytes of one dump, unpacked
 * @param totalBytes of all together, unpacked
 */
public record JobLimits(int files, int dumpBytes, long totalBytes) {
  /** Of files that somebody reads on a machine of their own: logs of gigabytes are usual. */
  public static final JobLimits OFFLINE = new JobLimits(200_000, 256 << 20, 1L << 40);

  public JobLimits {
    if (files <= 0 || dumpBytes <= 0 || totalBytes <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }
}
