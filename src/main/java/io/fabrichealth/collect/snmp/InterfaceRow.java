package io.fabrichealth.collect.snmp;

import org.jspecify.annotations.Nullable;

/**
 * A row of ifTable and ifXTable, as far as it does not change from poll to poll.
 *
 * @param name ifName; empty where there is none
 * @param description ifDescr; empty where there is none
 * @param type ifType (IANAifType-MIB); 0 where there is none
 * @param alias ifAlias, what the operator wrote; empty where there is none
 * @param speedBitsPerSecond 0 where it does not say
 * @param mtu 0 where it does not say
 * @param mac null where it has none
 */
record InterfaceRow(
    int ifIndex,
    String name,
    String description,
    int type,
    String alias,
    long speedBitsPerSecond,
    int mtu,
    boolean adminUp,
    @Nullable String mac) {}
