package io.fabrichealth.detect;

import io.fabrichealth.detect.statistics.RobustCohort;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What modules and cables of one part number usually show: says nothing itself, other detectors ask
 * it.
 *
 * <p><b>What it compares:</b> the error ratio before FEC and the light received of all ports with
 * the same part number, speed and FEC; median and median deviation, so that a few bad ones do not
 * move it.
 *
 * <p><b>When it stays silent:</b> of part numbers with too few ports that tell.
 *
 * <p><b>Settings:</b> {@code cohorts.*}.
 *
 * <p><b>Source:</b> robust z scores, B. Iglewicz and D. Hoaglin, 1993.
 */
public final class CohortsDetector implements FabricDetector<CohortsDetector.State> {
  private static final String ID = "cohorts";
  private static final double RARE = 1e-15;

  private final Signals signals;
  private final BitErrors bitErrors;
  private final int rxPower;
  private final Duration every;
  private final int leastMembers;

  public CohortsDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    bitErrors = new BitErrors(dictionary);
    rxPower = dictionary.ordinal("optics.rx_power_dbm");
    every = Duration.ofSeconds((long) thresholds.number("cohorts.every-seconds"));
    leastMembers = (int) thresholds.number("cohorts.least-members");
  }

  /**
   * Columns by cohort, in the order of the keys.
   *
   * @param keys part number, speed and FEC
   * @param members ports whose error ratio was read
   * @param ratios median of log10 of the error ratio before FEC; {@link #UNKNOWN} where too few
   *     tell it
   * @param spreads its deviation, as of a Gaussian
   * @param powers median of the light received, dBm; {@link #UNKNOWN} where too few tell it
   * @param powerSpreads its deviation
   * @param looks how many times it looked, counted to 1000
   */
  @SuppressWarnings("ArrayRecordComponent") // columns, never compared
  record State(
      String[] keys,
      int[] members,
      double[] ratios,
      double[] spreads,
      double[] powers,
      double[] powerSpreads,
      int looks) {
    static final double UNKNOWN = -1e9;

    static final State NONE =
        new State(
            new String[0],
            new int[0],
            new double[0],
            new double[0],
            new double[0],
            new double[0],
            0);

    /** Row of the port's cohort; -1 where it has none. */
    int row(Port port) {
      String key = key(port);
      int row = key == null || keys.length == 0 ? -1 : Arrays.binarySearch(keys, key);
      return Math.max(row, -1);
    }
  }

  private static @Nullable String key(Port port) {
    return port.partNumber() == null
        ? null
        : port.partNumber() + " " + port.speedBitsPerSecond() + " " + port.fec();
  }

  private static final class Members {
    private final List<Double> ratios = new ArrayList<>();
    private final List<Double> powers = new ArrayList<>();
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
    return State.NONE;
  }

  @Override
  public Duration every() {
    return every;
  }

  @Override
  public Step<State> step(State state, FabricView view) {
    Map<String, Members> cohorts = new TreeMap<>();
    for (Link link : view.fabric().links()) {
      for (PortId end : link.ends()) {
        add(end, view, cohorts);
      }
    }
    List<String> keys = new ArrayList<>();
    List<Members> rows = new ArrayList<>();
    cohorts.forEach(
        (key, members) -> {
          if (Math.max(members.ratios.size(), members.powers.size()) >= leastMembers) {
            keys.add(key);
            rows.add(members);
          }
        });
    int size = rows.size();
    double[] ratios = new double[size];
    double[] spreads = new double[size];
    double[] powers = new double[size];
    double[] powerSpreads = new double[size];
    int[] members = new int[size];
    for (int row = 0; row < size; row++) {
      RobustCohort ofRatios = RobustCohort.of(toArray(rows.get(row).ratios));
      RobustCohort ofPowers = RobustCohort.of(toArray(rows.get(row).powers));
      members[row] = ofRatios.members();
      ratios[row] = ofRatios.members() >= leastMembers ? ofRatios.median() : State.UNKNOWN;
      spreads[row] = ofRatios.spread();
      powers[row] = ofPowers.members() >= leastMembers ? ofPowers.median() : State.UNKNOWN;
      powerSpreads[row] = ofPowers.spread();
    }
    int looks = Math.min(1000, state.looks() + 1);
    return Step.silent(
        new State(
            keys.toArray(String[]::new), members, ratios, spreads, powers, powerSpreads, looks));
  }

  private void add(PortId id, FabricView view, Map<String, Members> cohorts) {
    SignalWindow window = view.window(id);
    Port port = view.fabric().port(id);
    String key = port == null ? null : key(port);
    Device device = view.fabric().device(id.device());
    if (port == null || key == null || window == null || device == null) {
      return;
    }
    double ratio = bitErrors.ratio(window, device, port, speed(window, port));
    double light = meanLight(window);
    if (Double.isNaN(ratio) && Double.isNaN(light)) {
      return;
    }
    Members members = cohorts.computeIfAbsent(key, unknown -> new Members());
    if (!Double.isNaN(ratio)) {
      members.ratios.add(Math.log10(Math.max(ratio, RARE)));
    }
    if (!Double.isNaN(light)) {
      members.powers.add(light);
    }
  }

  private double speed(SignalWindow window, Port port) {
    double negotiated = window.value(signals.speed, 0);
    return negotiated > 0 ? negotiated : port.speedBitsPerSecond();
  }

  private double meanLight(SignalWindow window) {
    double sum = 0;
    int lanes = 0;
    for (int lane = 0; lane < window.elements(rxPower); lane++) {
      double value = window.value(rxPower, lane);
      if (!Double.isNaN(value)) {
        sum += value;
        lanes++;
      }
    }
    return lanes == 0 ? Double.NaN : sum / lanes;
  }

  private static double[] toArray(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
