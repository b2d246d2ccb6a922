package io.fabrichealth.collect.snmp;

import java.util.regex.Pattern;

/**
 * Says which lane a sensor is of; the pattern's first group is the number.
 *
 * @param ofContainer whether the text of what the sensor is in is meant, not the text that follows
 *     the port's name in its own
 * @param first number of the first lane
 */
record LaneRule(Pattern text, boolean ofContainer, int first) {}
