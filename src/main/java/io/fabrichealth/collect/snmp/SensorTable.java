package io.fabrichealth.collect.snmp;

import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/**
 * A table of sensors by entPhysicalIndex.
 *
 * @param entry OID of the entry; the other numbers are its columns
 * @param zeroDbm why a sensor of power that reads exactly 0 dBm has no value; null where it has
 */
record SensorTable(
    String name,
    OID entry,
    int type,
    int scale,
    int precision,
    int value,
    int status,
    @Nullable String zeroDbm) {}
