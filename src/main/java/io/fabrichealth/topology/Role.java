package io.fabrichealth.topology;

/** What a device is in the fabric; {@code SWITCH} where only that much is known. */
public enum Role {
  HOST,
  LEAF,
  SPINE,
  CORE,
  SWITCH;

  public boolean isSwitch() {
    return this != HOST;
  }
}
