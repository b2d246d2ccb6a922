package io.fabrichealth.collect.jobs;

/** What a file of a job is. */
public enum InputKind {
  /** A flight recorder's dump of one rank, pickled or JSON. */
  FLIGHT_RECORDER,
  /** What the job's processes, launcher and libraries printed. */
  LOG,
  /** A table or JSON file of nccl-tests. */
  NCCL_TESTS,
  /** Lines of NCCL's Inspector. */
  NCCL_INSPECTOR,
  /** An answer of NCCL's RAS. */
  NCCL_RAS,
  /** Which rank runs where. */
  ROSTER,
  /** Holds others; listed only where something is wrong with it. */
  ARCHIVE,
  UNKNOWN
}
