package io.fabrichealth.collect.snmp;

import org.jspecify.annotations.Nullable;

/**
 * A row of a sensor table, once it is known what it measures.
 *
 * @param port null for a sensor of the device
 * @param type SensorDataType
 */
record Sensor(
    SensorRule rule, @Nullable String port, int lane, int type, int scale, int precision) {}
