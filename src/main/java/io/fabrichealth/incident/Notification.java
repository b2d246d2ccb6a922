package io.fabrichealth.incident;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event of an incident on its way to one receiver.
 *
 * @param id of the delivery: the same each time that it is sent
 * @param incident as it was then
 * @param before what the receiver was told last; null where that was nothing
 * @param attempts that failed so far
 */
public record Notification(
    UUID id,
    String receiver,
    Standing.Event event,
    Incident incident,
    @Nullable Standing before,
    Instant createdAt,
    int attempts) {}
