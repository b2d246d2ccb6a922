package io.fabrichealth.collect.snmp;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says that a row of ifTable is no port of the fabric. It fits where all that it says is so.
 *
 * @param types ifType is one of these; empty: any
 * @param notTypes ifType is none of these; empty: any
 * @param port the whole name matches
 * @param notPort the whole name does not match
 * @param system sysDescr holds it
 */
record LeftOutRule(
    String name,
    Set<Integer> types,
    Set<Integer> notTypes,
    @Nullable Pattern port,
    @Nullable Pattern notPort,
    @Nullable Pattern system) {

  LeftOutRule {
    types = Set.copyOf(types);
    notTypes = Set.copyOf(notTypes);
  }

  boolean fits(String name, int ifType, String systemDescription) {
    return (types.isEmpty() || types.contains(ifType))
        && !notTypes.contains(ifType)
        && (port == null || port.matcher(name).matches())
        && (notPort == null || !notPort.matcher(name).matches())
        && (system == null || system.matcher(systemDescription).find());
  }
}
