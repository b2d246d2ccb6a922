package io.fabrichealth.collect.snmp;

import io.fabrichealth.signal.SignalDictionary;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is read from which object: the vendors' tables as data. Loaded from {@code snmp/*.yaml} on
 * the class path by {@link #load}.
 *
 * @param tables of readings, in a fixed order
 * @param sensors tables of which each row says itself what it measures
 * @param sensorRules which sensor is which signal; the first that fits counts
 * @param laneRules which lane a sensor is of; the first that fits counts
 * @param leftOut which rows are no port; the first that fits counts
 * @param vendors names by IANA enterprise number
 */
public record SnmpMapping(
    List<MappedTable> tables,
    List<SensorTable> sensors,
    List<SensorRule> sensorRules,
    List<LaneRule> laneRules,
    List<LeftOutRule> leftOut,
    Map<Long, String> vendors) {

  public SnmpMapping {
    tables = List.copyOf(tables);
    sensors = List.copyOf(sensors);
    sensorRules = List.copyOf(sensorRules);
    laneRules = List.copyOf(laneRules);
    leftOut = List.copyOf(leftOut);
    vendors = Map.copyOf(vendors);
  }

  /**
   * Reads the mapping that ships with the service.
   *
   * @throws IllegalArgumentException where a file does not hold what is expected; the message names
   *     file, entry and what is allowed
   */
  public static SnmpMapping load(SignalDictionary dictionary) {
    return new MappingLoader(dictionary).loadAll();
  }

  /** The name of the rule that leaves the row out; null where it is a port. */
  @Nullable String leftOutBy(String port, int ifType, String systemDescription) {
    for (LeftOutRule rule : leftOut) {
      if (rule.fits(port, ifType, systemDescription)) {
        return rule.name();
      }
    }
    return null;
  }
}
