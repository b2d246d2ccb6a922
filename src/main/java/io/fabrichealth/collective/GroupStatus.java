package io.fabrichealth.collective;

/**
 * The counts that a rank keeps of one of its groups.
 *
 * @param localId the rank's own number of the group, which is not the group's name
 * @param lastEnqueued -1 where none, {@link FlightRecorder#ABSENT} where the dump does not say, as
 *     the others
 */
public record GroupStatus(int localId, long lastEnqueued, long lastStarted, long lastCompleted) {}
