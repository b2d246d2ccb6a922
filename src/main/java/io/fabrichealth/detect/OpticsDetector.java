package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Light that gets lost, and lasers that give less of it.
 *
 * <p><b>What it catches:</b> a dirty connector (less light arrives on one side, though the far end
 * sends as before), a bent or damaged fibre (less light both ways), a decaying laser (less light is
 * sent, for more current), a loose module (light comes and goes), a module that is too hot.
 *
 * <p><b>What it compares:</b> the light of each lane, received and sent, with what this lane had
 * before, since what a module says of it may be off by two decibels for ever; with the other lanes
 * of the module; and with the others of its part number, where it is far below all of them.
 *
 * <p><b>When it stays silent:</b> on links that are down or set down: no light is what they have;
 * of constant differences up to four decibels; on a first low reading alone. After the link was
 * down it learns anew: the module may be another one.
 *
 * <p><b>How it clears:</b> with the first reading of as much light as before. What is usual follows
 * less light within months only.
 *
 * <p><b>Settings:</b> {@code optics.*}.
 *
 * <p><b>Source:</b> signatures of optical faults, CorrOpt (SIGCOMM 2017); SFF-8636 and CMIS
 * monitors, which may be off by 3 dB.
 */
public final class OpticsDetector implements Detector<OpticsDetector.State> {
  private static final String ID = "optics";
  private static final int LEARNT = 3;
  private static final int SURE = 2;
  private static final double FIRST_NATS = 4.5;
  private static final double JUST_NATS = 9;
  private static final double NATS_PER_DECIBEL = 5;
  private static final double MOST_NATS = 20;
  private static final double STATIC_NATS = 9;
  private static final double STATIC_NATS_PER_DECIBEL = 2.2;
  private static final double LANES_SPREAD = 2.2;
  private static final double COHORT_DEVIATIONS = 5;
  private static final double BIAS_RISE = 1.05;
  private static final int LOOSE = 3;
  private static final double HOT_NATS = 9;
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long STALE_NANOS = HOUR_NANOS / 2;
  private static final double DAY_SECONDS = 86_400;

  private final Signals signals;
  private final CohortsDetector cohorts;
  private final int rxPower;
  private final int txPower;
  private final int bias;
  private final int temperature;
  private final double step;
  private final double laserStep;
  private final double constant;
  private final double mostCelsius;
  private final double memorySeconds;

  public OpticsDetector(
      SignalDictionary dictionary, Thresholds thresholds, CohortsDetector cohorts) {
    signals = new Signals(dictionary);
    this.cohorts = cohorts;
    rxPower = dictionary.ordinal("optics.rx_power_dbm");
    txPower = dictionary.ordinal("optics.tx_power_dbm");
    bias = dictionary.ordinal("optics.tx_bias_milliamperes");
    temperature = dictionary.ordinal("optics.module_temperature_celsius");
    step = thresholds.number("optics.step-decibels");
    laserStep = thresholds.number("optics.laser-decibels");
    constant = thresholds.number("optics.constant-decibels");
    mostCelsius = thresholds.number("optics.most-celsius");
    memorySeconds = thresholds.number("optics.memory-days") * DAY_SECONDS;
  }

  /**
   * What is remembered of a port.
   *
   * @param rx light received by lane
   * @param tx light sent
   * @param current of the lasers
   * @param farRx light received at the other end
   * @param farTx light sent by the other end
   * @param readings how many readings of light there were since the link came up, counted to 100
   * @param seconds over which what is usual was learnt
   * @param low for how many readings less light is received than usual
   * @param laserLow for how many readings less light is sent
   * @param hot for how many readings the module has been too hot
   * @param jumps how often the light came or went within an hour
   * @param jumpNanos when it last did; 0 before the first time
   * @param oper state at the last poll
   * @param readNanos time of the last reading; 0 before the first
   * @param sinceNanos since when there is something to say; 0 while there is not
   */
  record State(
      LightLevels rx,
      LightLevels tx,
      LightLevels current,
      LightLevels farRx,
      LightLevels farTx,
      int readings,
      double seconds,
      int low,
      int laserLow,
      int hot,
      int jumps,
      long jumpNanos,
      int oper,
      long readNanos,
      long sinceNanos) {

    private static State fresh(int oper) {
      return new State(
          LightLevels.NONE,
          LightLevels.NONE,
          LightLevels.NONE,
          LightLevels.NONE,
          LightLevels.NONE,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          oper,
          0,
          0);
    }

    private State at(int nextOper, long since) {
      return nextOper == oper && since == sinceNanos
          ? this
          : new State(
              rx, tx, current, farRx, farTx, readings, seconds, low, laserLow, hot, jumps,
              jumpNanos, nextOper, readNanos, since);
    }

    private State withFar(LightLevels nextFarRx, LightLevels nextFarTx) {
      return new State(
          rx,
          tx,
          current,
          nextFarRx,
          nextFarTx,
          readings,
          seconds,
          low,
          laserLow,
          hot,
          jumps,
          jumpNanos,
          oper,
          readNanos,
          sinceNanos);
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
    return State.fresh(PortView.UNKNOWN);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    boolean isRead = window.isFresh(rxPower) || window.isFresh(txPower);
    if (!isRead && state.readings() == 0) {
      return Step.silent(state);
    }
    PortView port = new PortView(signals, window, context);
    int oper = port.oper();
    if (oper != PortView.UP || port.isAdminDown() || port.isDisturbed(state.oper())) {
      return Step.silent(state.readings() == 0 && state.oper() == oper ? state : State.fresh(oper));
    }
    State next = withFar(state, port.peer());
    if (isRead) {
      next = read(next, window, port.nowNanos());
    }
    if (port.nowNanos() - next.readNanos() > STALE_NANOS || next.readings() == 0) {
      return Step.silent(next.at(oper, 0));
    }
    long since = next.sinceNanos() == 0 ? port.nowNanos() : next.sinceNanos();
    List<Finding> findings = findings(next.at(oper, since), port);
    return findings.isEmpty()
        ? Step.silent(next.at(oper, 0))
        : new Step<>(next.at(oper, since), findings);
  }

  private State withFar(State state, @Nullable SignalWindow far) {
    if (far == null || !(far.isFresh(rxPower) || far.isFresh(txPower))) {
      return state;
    }
    double share = share(state, 15);
    return state.withFar(
        state.farRx().next(far, rxPower, share, 1), state.farTx().next(far, txPower, share, 1));
  }

  private double share(State state, double elapsed) {
    return elapsed / Math.max(elapsed, Math.min(memorySeconds, state.seconds() + elapsed));
  }

  private State read(State state, SignalWindow window, long now) {
    double elapsed =
        state.readNanos() == 0 ? 1 : Math.max(1, Math.min(600, (now - state.readNanos()) / 1e9));
    double share = share(state, elapsed);
    double before = median(state.rx());
    LightLevels rx = state.rx().next(window, rxPower, share, step / 2);
    LightLevels tx = state.tx().next(window, txPower, share, laserStep / 2);
    double change = Math.abs(median(rx) - before);
    boolean isJump = change > step;
    boolean learnt = state.readings() >= LEARNT;
    int jumps = now - state.jumpNanos() > HOUR_NANOS ? 0 : state.jumps();
    return new State(
        rx,
        tx,
        state.current().next(window, bias, share, Double.POSITIVE_INFINITY),
        state.farRx(),
        state.farTx(),
        Math.min(100, state.readings() + 1),
        Math.min(memorySeconds, state.seconds() + elapsed),
        learnt && rx.fallen(step) > 0 ? Math.min(100, state.low() + 1) : 0,
        learnt && tx.fallen(laserStep) > 0 ? Math.min(100, state.laserLow() + 1) : 0,
        window.value(temperature, 0) > mostCelsius ? Math.min(100, state.hot() + 1) : 0,
        isJump ? Math.min(100, jumps + 1) : jumps,
        isJump ? now : state.jumpNanos(),
        state.oper(),
        now,
        state.sinceNanos());
  }

  private static double median(LightLevels levels) {
    return LaneErrors.medianWithout(levels.known(), -1);
  }

  // --- what is to be said

  private List<Finding> findings(State state, PortView port) {
    List<Finding> findings = new ArrayList<>();
    if (state.jumps() >= LOOSE) {
      findings.add(
          finding(
              state,
              port,
              Cause.PHY_LINK,
              "optics.rx_power_dbm",
              port.port(),
              "light came and went %d times: a loose module or connector".formatted(state.jumps()),
              "steady light",
              Reference.HISTORY,
              Math.min(MOST_NATS, JUST_NATS + state.jumps() - LOOSE)));
    } else if (state.low() > 0) {
      findings.add(lessLight(state, port));
    } else {
      constantlyDim(state, port, findings);
    }
    if (state.laserLow() > 0) {
      laser(state, port, findings);
    }
    if (state.hot() >= SURE) {
      findings.add(
          finding(
              state,
              port,
              Cause.OPTICS_FAILING,
              "optics.module_temperature_celsius",
              port.port(),
              "the module is hotter than " + Figures.count(mostCelsius) + " degrees Celsius",
              "at most " + Figures.count(mostCelsius) + " degrees Celsius",
              Reference.LIMIT,
              HOT_NATS));
    }
    return findings;
  }

  private Finding lessLight(State state, PortView port) {
    int worst = worst(state.rx());
    double fall = state.rx().fall(worst);
    int fallen = state.rx().fallen(step);
    double farFall = state.farRx().medianFall();
    double farLaser = state.farTx().medianFall();
    boolean ofLaser = farLaser > fall / 2;
    boolean bothWays = farFall > step / 2;
    PortId far = port.context.link().peerOf(port.window.port());
    String why =
        ofLaser
            ? "; the far end sends " + Figures.decibels(farLaser) + " dB less"
            : bothWays
                ? "; the far end receives " + Figures.decibels(farFall) + " dB less too"
                : Double.isNaN(farLaser) ? "" : "; the far end sends as before";
    boolean ofOne = fallen == 1 && state.rx().lanes() > 1;
    return finding(
        state,
        port,
        ofLaser ? Cause.OPTICS_FAILING : bothWays ? Cause.PHY_LINK : Cause.OPTICS_CONTAMINATION,
        "optics.rx_power_dbm",
        ofOne ? Subject.lane(port.window.port(), worst) : port.port(),
        "%s dB less light on %s of %s%s%s"
            .formatted(
                Figures.decibels(fall),
                ofOne
                    ? "lane " + worst
                    : fallen == state.rx().lanes() ? "all lanes" : fallen + " lanes",
                port.window.port().id(),
                far == null ? "" : " from " + far.id(),
                why),
        "%s dBm, as before".formatted(Figures.decibels(state.rx().usual()[worst])),
        Reference.HISTORY,
        nats(state.low(), fall - step));
  }

  private static double nats(int readings, double beyond) {
    double nats = Math.min(MOST_NATS, JUST_NATS + NATS_PER_DECIBEL * beyond);
    return readings < SURE ? Math.min(FIRST_NATS, nats) : nats;
  }

  private static int worst(LightLevels levels) {
    int worst = 0;
    for (int lane = 1; lane < levels.lanes(); lane++) {
      double fall = levels.fall(lane);
      if (!Double.isNaN(fall) && !(fall <= levels.fall(worst))) {
        worst = lane;
      }
    }
    return worst;
  }

  /** Far below its siblings or its kind, whenever that began. */
  private void constantlyDim(State state, PortView port, List<Finding> findings) {
    double[] levels = state.rx().known();
    for (int lane = 0; lane < levels.length; lane++) {
      double below = LaneErrors.medianWithout(levels, lane) - levels[lane];
      if (below > constant) {
        findings.add(
            finding(
                state,
                port,
                Cause.OPTICS_CONTAMINATION,
                "optics.rx_power_dbm",
                Subject.lane(port.window.port(), lane),
                "%s dBm on lane %d, %s dB below the others"
                    .formatted(Figures.decibels(levels[lane]), lane, Figures.decibels(below)),
                "within %s dB of the others".formatted(Figures.decibels(LANES_SPREAD)),
                Reference.PEERS,
                constantNats(state, below)));
        return;
      }
    }
    CohortsDetector.State cohort = port.context.state(cohorts);
    int row = cohort.row(port.context.port());
    if (row < 0 || cohort.powers()[row] == CohortsDetector.State.UNKNOWN) {
      return;
    }
    double below = cohort.powers()[row] - median(state.rx());
    if (below > Math.max(constant, COHORT_DEVIATIONS * cohort.powerSpreads()[row])) {
      findings.add(
          finding(
              state,
              port,
              Cause.OPTICS_CONTAMINATION,
              "optics.rx_power_dbm",
              port.port(),
              "%s dBm, %s dB below others of %s"
                  .formatted(
                      Figures.decibels(median(state.rx())),
                      Figures.decibels(below),
                      port.context.port().partNumber()),
              "%s dBm".formatted(Figures.decibels(cohort.powers()[row])),
              Reference.PEERS,
              constantNats(state, below)));
    }
  }

  private static double constantNats(State state, double below) {
    double most = state.readings() < SURE ? FIRST_NATS : STATIC_NATS;
    return Math.min(most, STATIC_NATS_PER_DECIBEL * (below - LANES_SPREAD));
  }

  private void laser(State state, PortView port, List<Finding> findings) {
    int worst = worst(state.tx());
    double fall = state.tx().fall(worst);
    double usual = worst < state.current().lanes() ? state.current().usual()[worst] : 0;
    double rise = usual > 0 ? state.current().last()[worst] / usual : Double.NaN;
    boolean isDecaying = rise > BIAS_RISE;
    // Less light for the same current may be the module's own power control.
    if (!isDecaying && fall < 2 * laserStep) {
      return;
    }
    findings.add(
        finding(
            state,
            port,
            Cause.OPTICS_FAILING,
            "optics.tx_power_dbm",
            Subject.lane(port.window.port(), worst),
            "lane %d sends %s dB less than before%s"
                .formatted(
                    worst,
                    Figures.decibels(fall),
                    isDecaying ? ", for " + Figures.percent(rise - 1) + " more current" : ""),
            "%s dBm, as before".formatted(Figures.decibels(state.tx().usual()[worst])),
            Reference.HISTORY,
            nats(state.laserLow(), fall - laserStep)));
  }

  private static Finding finding(
      State state,
      PortView port,
      Cause cause,
      String signal,
      Subject where,
      String observed,
      String expected,
      Reference reference,
      double nats) {
    return new Finding(
        ID,
        port.link(),
        cause,
        port.evidence(
            Family.PHY, signal, where, observed, expected, reference, nats, state.sinceNanos()),
        PortView.instant(state.sinceNanos()));
  }
}
