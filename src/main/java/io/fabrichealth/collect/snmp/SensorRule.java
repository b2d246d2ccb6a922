package io.fabrichealth.collect.snmp;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says which signal a sensor is.
 *
 * @param signal ordinal in the dictionary
 * @param ofPort whether the signal is one of a port or lane; otherwise of the device
 * @param ofLane whether each lane has one
 * @param dbm whether the signal is a power in dBm
 * @param types sensor types that it may have
 * @param text found in the sensor's name or description
 * @param scale factor from the SI unit to the signal's
 */
record SensorRule(
    int signal,
    boolean ofPort,
    boolean ofLane,
    boolean dbm,
    Set<Integer> types,
    Pattern text,
    double scale) {
  SensorRule {
    types = Set.copyOf(types);
  }
}
