package io.fabrichealth.simulate.world;

/** A gauge or state of a port. */
enum Gauge {
  OPER_UP("port.oper_up"),
  ADMIN_UP("port.admin_up"),
  SPEED("port.speed_bits_per_second"),
  WIDTH("port.width_lanes"),
  MTU("port.mtu_bytes"),
  PRE_FEC_BER("fec.pre_fec_ber"),
  POST_FEC_BER("fec.post_fec_ber"),
  LANE_BER("fec.lane_pre_fec_ber"),
  WATERMARK("queue.watermark_bytes"),
  RX_POWER("optics.rx_power_dbm"),
  TX_POWER("optics.tx_power_dbm"),
  TX_BIAS("optics.tx_bias_milliamperes"),
  SNR("optics.snr_db"),
  MODULE_TEMPERATURE("optics.module_temperature_celsius"),
  MODULE_VOLTAGE("optics.module_voltage_volts"),
  PCIE_WIDTH("host.pcie_width_lanes"),
  PCIE_SPEED("host.pcie_speed_transfers_per_second");

  private final String signal;

  Gauge(String signal) {
    this.signal = signal;
  }

  String signal() {
    return signal;
  }

  boolean isOfModule() {
    return signal.startsWith("optics.");
  }
}
