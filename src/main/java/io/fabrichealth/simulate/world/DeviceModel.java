package io.fabrichealth.simulate.world;

import io.fabrichealth.topology.Device;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A switch or host of the simulated fabric. */
final class DeviceModel {
  private static final double ROOM_CELSIUS = 24;
  private static final double SWING_CELSIUS = 3;
  private static final double DAY = 86_400;

  private final Device device;
  private final Reporting reporting;
  private final List<PortModel> ports = new ArrayList<>();
  private final double dayPhase;
  private final double pollPhase;
  private Instant boot;
  private double clockOffset;
  private double dropRatio;
  private double silentUntil;

  /**
   * @param dayPhase by which its warmest time of the day is early, in days
   * @param pollPhase when it is first polled, s
   */
  DeviceModel(Device device, Reporting reporting, Instant boot, double dayPhase, double pollPhase) {
    this.device = device;
    this.reporting = reporting;
    this.boot = boot;
    this.dayPhase = dayPhase;
    this.pollPhase = pollPhase;
  }

  double pollPhase() {
    return pollPhase;
  }

  void add(PortModel port) {
    ports.add(port);
  }

  String name() {
    return device.name();
  }

  Device device() {
    return device;
  }

  Reporting reporting() {
    return reporting;
  }

  List<PortModel> ports() {
    return ports;
  }

  boolean isSwitch() {
    return device.role().isSwitch();
  }

  /** Temperature of the air that it takes in, degrees above its mean of the day. */
  double warmer(double seconds) {
    return SWING_CELSIUS * Math.sin(2 * Math.PI * (seconds / DAY + dayPhase));
  }

  double roomCelsius(double seconds) {
    return ROOM_CELSIUS + warmer(seconds);
  }

  Instant boot() {
    return boot;
  }

  /** All counters begin anew. */
  void restart(Instant newBoot, double now) {
    boot = newBoot;
    ports.forEach(port -> port.clear(now));
  }

  /** Its clock is ahead by that many seconds. */
  double clockOffset() {
    return clockOffset;
  }

  void setClockOffset(double seconds) {
    clockOffset = seconds;
  }

  /** Part of the packets that it forwards nowhere. */
  double dropRatio() {
    return dropRatio;
  }

  void setDropRatio(double ratio) {
    dropRatio = ratio;
  }

  /** Age of the copy that it answers from, s: it makes a new one every few seconds. */
  double copyAge(double read) {
    double every = reporting.copySeconds();
    return every == 0 ? 0 : (read + (dayPhase + 1) * DAY) % every;
  }

  /** Does not answer until then. */
  void silence(double until) {
    silentUntil = until;
  }

  boolean answers(double now) {
    return now >= silentUntil;
  }
}
