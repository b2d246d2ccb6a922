package io.fabrichealth.simulate;

/** Rows of DELL-NETWORKING-FPSTATS-MIB: corrected bits and uncorrectable codewords received. */
final class FecMib {
  private static final String STATS = "1.3.6.1.4.1.6027.3.27.1.3.1.";

  private FecMib() {}

  static void addTo(MibView.Builder mib, SwitchPort row) {
    Direction in = row.port().in();
    mib.counter64(STATS + "25." + row.ifIndex(), in::correctedBits)
        .counter64(STATS + "26." + row.ifIndex(), in::uncorrectableCodewords);
  }
}
