package io.fabrichealth.simulate;

/**
 * A port of a switch with the numbers that its agent gives it, which all differ.
 *
 * @param number from 1
 */
record SwitchPort(int number, SimulatedPort port) {

  int ifIndex() {
    return 1000 + number;
  }

  /** Of the LLDP-MIB; by the standard it is not the ifIndex. */
  int lldpNumber() {
    return 2 * number + 1;
  }

  /** Of the ENTITY-MIB, of the module; its sensors follow. */
  int entity() {
    return 100_000_000 + 1000 * number;
  }
}
