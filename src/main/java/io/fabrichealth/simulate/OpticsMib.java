package io.fabrichealth.simulate;

import java.util.function.DoubleSupplier;

/**
 * Rows of ENTITY-MIB (RFC 4133) and ENTITY-SENSOR-MIB (RFC 3433) for the module in a port, scaled
 * as Arista and SONiC do: optical power as milliwatts with four decimals.
 */
final class OpticsMib {
  private static final String ENTITY = "1.3.6.1.2.1.47.1.1.1.1.";
  private static final String ALIAS = "1.3.6.1.2.1.47.1.3.2.1.2.";
  private static final String IF_INDEX = "1.3.6.1.2.1.2.2.1.1.";
  private static final String SENSOR = "1.3.6.1.2.1.99.1.1.1.";
  private static final int CLASS_PORT = 10;
  private static final int CLASS_SENSOR = 8;

  private OpticsMib() {}

  private enum Kind {
    CELSIUS(8, 9, 1),
    VOLTS(4, 9, 3),
    MILLIAMPERES(5, 8, 2),
    MILLIWATTS(6, 8, 4);

    final int type;
    final int scale;
    final int precision;

    Kind(int type, int scale, int precision) {
      this.type = type;
      this.scale = scale;
      this.precision = precision;
    }
  }

  static void addTo(MibView.Builder mib, SwitchPort row) {
    OpticalModule module = row.port().module();
    String name = row.port().name();
    int entity = row.entity();
    addEntity(mib, entity, 1, CLASS_PORT, "QSFP-DD for " + name);
    mib.oid(ALIAS + entity + ".0", IF_INDEX + row.ifIndex());
    addSensor(mib, row, 10, "Temperature", "", Kind.CELSIUS, module::temperatureCelsius);
    addSensor(mib, row, 50, "Voltage", "", Kind.VOLTS, module::voltageVolts);
    for (int i = 0; i < module.lanes(); i++) {
      int lane = i;
      int place = lane + 1;
      String suffix = " lane " + place;
      addSensor(
          mib,
          row,
          20 + place,
          "TX Power",
          suffix,
          Kind.MILLIWATTS,
          () -> milliwatts(module.transmittedDbm(lane)));
      addSensor(
          mib,
          row,
          30 + place,
          "RX Power",
          suffix,
          Kind.MILLIWATTS,
          () -> milliwatts(module.receivedDbm(lane)));
      addSensor(
          mib,
          row,
          40 + place,
          "TX Bias",
          suffix,
          Kind.MILLIAMPERES,
          () -> module.biasMilliamperes(lane));
    }
  }

  private static void addSensor(
      MibView.Builder mib,
      SwitchPort row,
      int offset,
      String what,
      String suffix,
      Kind kind,
      DoubleSupplier value) {
    int entity = row.entity() + offset;
    String name = "DOM " + what + " Sensor for " + row.port().name() + suffix;
    addEntity(mib, entity, row.entity(), CLASS_SENSOR, name);
    double unit = Math.pow(10, kind.precision);
    mib.integer(SENSOR + "1." + entity, kind.type)
        .integer(SENSOR + "2." + entity, kind.scale)
        .integer(SENSOR + "3." + entity, kind.precision)
        .integer(
            SENSOR + "4." + entity, () -> Math.toIntExact(Math.round(value.getAsDouble() * unit)))
        .integer(SENSOR + "5." + entity, 1);
  }

  private static void addEntity(
      MibView.Builder mib, int entity, int within, int kind, String name) {
    mib.text(ENTITY + "2." + entity, name)
        .integer(ENTITY + "4." + entity, within)
        .integer(ENTITY + "5." + entity, kind)
        .text(ENTITY + "7." + entity, name);
  }

  private static double milliwatts(double dbm) {
    return Math.pow(10, dbm / 10);
  }
}
