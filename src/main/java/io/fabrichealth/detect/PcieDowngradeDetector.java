package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.util.Arrays;

/**
 * HCAs whose PCIe link is narrower or slower than it should be.
 *
 * <p><b>What it catches:</b> an HCA that trained with fewer PCIe lanes or at a lower rate: the host
 * cannot take what the fabric brings, while the fabric is well.
 *
 * <p><b>What it compares:</b> width and rate with the best that the HCA ever had, with the same
 * port of three or more hosts of the same model, and with two or more other HCAs of the host, at
 * two polls in a row.
 *
 * <p><b>When it stays silent:</b> where a rate is low and the port carries less than 1 % of its
 * speed: PCIe saves power when idle; where hosts of that model have a narrow slot there; where
 * neither the past nor another HCA tells what is right.
 *
 * <p><b>How it clears:</b> at the first poll that finds width and rate as they should be.
 *
 * <p><b>Settings:</b> {@code pcie-downgrade.busy-share}.
 *
 * <p><b>Source:</b> current_link_width and current_link_speed of sysfs; active state power
 * management, PCI Express Base Specification.
 */
public final class PcieDowngradeDetector implements Detector<PcieDowngradeDetector.State> {
  private static final String ID = "pcie-downgrade";
  private static final State NOTHING = new State(0, 0, 0, 0, 0, 0, 0, 0, 0);
  private static final long COMPARE_NANOS = 600_000_000_000L;
  private static final int MOST_COMPARED = 32;
  private static final int SAME_PORT_OF_HOSTS = 3;
  private static final int OTHER_PORTS = 2;
  private static final double AGREE = 2.0 / 3;
  private static final double SLOWER = .95;
  private static final double FIRST_POLL_NATS = 4;
  private static final double SURE_NATS = 12;

  private final Signals signals;
  private final int width;
  private final int rate;
  private final double busyShare;

  public PcieDowngradeDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    width = dictionary.ordinal("host.pcie_width_lanes");
    rate = dictionary.ordinal("host.pcie_speed_transfers_per_second");
    busyShare = thresholds.number("pcie-downgrade.busy-share");
  }

  /**
   * What is remembered of a port; 0 is not known.
   *
   * @param bestLanes most lanes that the HCA ever had
   * @param bestRate most transfers per second that it ever had
   * @param usualLanes of others like it
   * @param usualRate of others like it
   * @param comparedNanos when it was last compared with others
   * @param polls how many in a row found it below that, counted to 2
   * @param lanes that it had then
   * @param transfers per second that it had then
   * @param sinceNanos when it was first seen so
   */
  record State(
      double bestLanes,
      double bestRate,
      double usualLanes,
      double usualRate,
      long comparedNanos,
      int polls,
      double lanes,
      double transfers,
      long sinceNanos) {

    double expectedLanes() {
      return Math.max(bestLanes, usualLanes);
    }

    double expectedRate() {
      return Math.max(bestRate, usualRate);
    }

    State well() {
      return polls == 0
          ? this
          : new State(bestLanes, bestRate, usualLanes, usualRate, comparedNanos, 0, 0, 0, 0);
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Class<State> stateType() {
    return State.class;
  }

  @Override
  public State initial() {
    return NOTHING;
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    double lanes = window.value(width, 0);
    double transfers = window.value(rate, 0);
    if (!(lanes > 0) && !(transfers > 0)) {
      return state.polls() == 0 ? Step.silent(state) : said(state, window, context);
    }
    PortView port = new PortView(signals, window, context);
    State known = learn(state, lanes, transfers, port);
    boolean isNarrow = lanes < known.expectedLanes();
    boolean isSlow = transfers < SLOWER * known.expectedRate();
    if (!isNarrow && isSlow && !isBusy(port)) {
      // Saves power: no sign of health either.
      return known.polls() == 0 ? Step.silent(known) : said(known, window, context);
    }
    if (!isNarrow && !isSlow) {
      return Step.silent(known.well());
    }
    boolean isAgain = known.polls() > 0;
    State next =
        new State(
            known.bestLanes(),
            known.bestRate(),
            known.usualLanes(),
            known.usualRate(),
            known.comparedNanos(),
            isAgain ? 2 : 1,
            lanes > 0 ? lanes : 0,
            transfers > 0 ? transfers : 0,
            isAgain ? known.sinceNanos() : port.nowNanos());
    return said(next, window, context);
  }

  private State learn(State state, double lanes, double transfers, PortView port) {
    double bestLanes = lanes > state.bestLanes() ? lanes : state.bestLanes();
    double bestRate = transfers > state.bestRate() ? transfers : state.bestRate();
    long since = port.nowNanos() - state.comparedNanos();
    boolean isDue = state.comparedNanos() == 0 || since >= COMPARE_NANOS || since < 0;
    if (!isDue && bestLanes == state.bestLanes() && bestRate == state.bestRate()) {
      return state;
    }
    return new State(
        bestLanes,
        bestRate,
        isDue ? usual(width, port.context, port.window.port()) : state.usualLanes(),
        isDue ? usual(rate, port.context, port.window.port()) : state.usualRate(),
        isDue ? port.nowNanos() : state.comparedNanos(),
        state.polls(),
        state.lanes(),
        state.transfers(),
        state.sinceNanos());
  }

  /** What most others like it have; 0 where too few are known or they do not agree. */
  private double usual(int signal, DetectContext context, PortId own) {
    double[] values = new double[MOST_COMPARED];
    int size = 0;
    String model = context.device().model();
    if (model != null) {
      for (Device device : context.fabric().devices()) {
        if (size < MOST_COMPARED
            && model.equals(device.model())
            && !device.name().equals(own.device())) {
          size += add(values, size, signal, new PortId(device.name(), own.port()), context);
        }
      }
    }
    if (size >= SAME_PORT_OF_HOSTS) {
      return agreed(values, size);
    }
    size = 0;
    for (Link link : context.fabric().linksOf(own.device())) {
      for (PortId end : link.ends()) {
        if (size < MOST_COMPARED && end.device().equals(own.device()) && !end.equals(own)) {
          size += add(values, size, signal, end, context);
        }
      }
    }
    return size >= OTHER_PORTS ? agreed(values, size) : 0;
  }

  private static int add(
      double[] values, int size, int signal, PortId port, DetectContext context) {
    SignalWindow window = context.window(port);
    double value = window == null ? Double.NaN : window.value(signal, 0);
    if (!(value > 0)) {
      return 0;
    }
    values[size] = value;
    return 1;
  }

  /** The value that two thirds have; 0 where there is none. */
  private static double agreed(double[] values, int size) {
    Arrays.sort(values, 0, size);
    double median = values[size / 2];
    int alike = 0;
    for (int index = 0; index < size; index++) {
      alike += values[index] == median ? 1 : 0;
    }
    return alike >= AGREE * size ? median : 0;
  }

  private boolean isBusy(PortView port) {
    return port.utilisation(signals.inOctets) >= busyShare
        || port.utilisation(signals.outOctets) >= busyShare;
  }

  private Step<State> said(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean isNarrow = state.lanes() > 0 && state.lanes() < state.expectedLanes();
    boolean isOwnPast =
        isNarrow ? state.lanes() < state.bestLanes() : state.transfers() < state.bestRate();
    String observed =
        isNarrow
            ? "x" + Figures.count(state.lanes())
            : Figures.count(state.transfers() / 1e9) + " GT/s";
    String expected =
        isNarrow
            ? "x" + Figures.count(state.expectedLanes())
            : Figures.count(state.expectedRate() / 1e9) + " GT/s";
    return Step.of(
        state,
        new Finding(
            ID,
            Subject.host(window.port().device()),
            Cause.PCIE_DOWNGRADE,
            port.evidence(
                Family.EVENT,
                isNarrow ? "host.pcie_width_lanes" : "host.pcie_speed_transfers_per_second",
                port.port(),
                "PCIe at " + observed,
                expected + (isOwnPast ? ", as before" : ", as others like it"),
                isOwnPast ? Reference.HISTORY : Reference.PEERS,
                state.polls() > 1 ? SURE_NATS : FIRST_POLL_NATS,
                state.sinceNanos()),
            PortView.instant(state.sinceNanos())));
  }
}
