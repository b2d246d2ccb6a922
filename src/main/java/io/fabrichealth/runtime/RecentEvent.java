package io.fabrichealth.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a device or port.
 *
 * @param number grows by one with each event since the start of the service
 * @param port null where it is of the device
 * @param event {@code link_moved}, {@code reboot}, ...
 */
public record RecentEvent(
    long number, Instant at, String device, @Nullable String port, String event, String detail) {}
