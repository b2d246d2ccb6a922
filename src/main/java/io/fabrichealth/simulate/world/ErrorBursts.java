package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import java.util.Arrays;
import java.util.List;

/**
 * Bursts in which a receiver's lanes err so much that many codewords are beyond repair. As an
 * activity it is the packets that are lost by them, which the senders send again.
 */
final class ErrorBursts extends Activity {
  private static final double BURST_CODEWORDS = 40;
  private static final double BURST_RATIO = 3e-3;
  private static final int FEW = 50;
  private static final int BLAMED = 3;

  private final World world;
  private final PortModel port;
  private final Draws draws;
  private final double burstsPerSecond;
  private final boolean retransmits;
  private final double[] table;
  private final double[] shares;
  private boolean isOn;

  /**
   * @param uncorrectablePerSecond codewords beyond repair
   * @param retransmits whether the physical layer sends again what was lost, so that nothing is
   */
  ErrorBursts(World world, PortModel port, double uncorrectablePerSecond, boolean retransmits) {
    super(Traffic.LARGE_OCTETS);
    this.world = world;
    this.port = port;
    this.retransmits = retransmits;
    draws = world.draws();
    double[] ratios = new double[port.receiver().lanes()];
    Arrays.fill(ratios, BURST_RATIO);
    table = Receiver.table(port.receiver().code(), ratios);
    shares = new double[ratios.length];
    Receiver.shares(ratios, shares);
    burstsPerSecond = uncorrectablePerSecond / (BURST_CODEWORDS * table[table.length - 1]);
    world.traffic().add(this);
  }

  void begin(double now) {
    isOn = true;
    if (!retransmits) {
      Wire wire = port.in();
      wire.lose(this, 1, now);
      List<Flow> through = world.traffic().flows(flow -> flow.path().contains(wire));
      List<Wire> before = through.isEmpty() ? List.of(wire) : draws.one(through).path();
      for (Wire sent : before) {
        sent.sent().add(this, 1, now);
        if (sent == wire) {
          break;
        }
      }
    }
  }

  @Override
  double next(double now) {
    if (!isOn || !port.link().isUp()) {
      return 0;
    }
    long bursts = draws.count(burstsPerSecond * STEP);
    long codewords = 0;
    if (bursts < FEW) {
      for (long burst = 0; burst < bursts; burst++) {
        codewords += draws.geometric(BURST_CODEWORDS);
      }
    } else {
      double deviation = BURST_CODEWORDS * Math.sqrt(bursts);
      codewords = Math.max(0, Math.round(draws.gaussian(bursts * BURST_CODEWORDS, deviation)));
    }
    long beyondRepair = port.receiver().disturb(codewords, table, shares);
    if (retransmits) {
      return 0;
    }
    double load = Math.min(1, Math.max(0, port.in().load()));
    long lost = draws.successes(beyondRepair, load * PortModel.PACKETS_HIT);
    port.err(lost);
    blame(lost);
    return lost / STEP;
  }

  /** The ends of some of the flows notice. */
  private void blame(long lost) {
    if (lost == 0) {
      return;
    }
    Wire wire = port.in();
    List<Flow> through = world.traffic().flows(flow -> flow.path().contains(wire));
    for (int i = 0; i < BLAMED && !through.isEmpty(); i++) {
      Flow flow = draws.one(through);
      HostSide target = flow.target().host();
      HostSide source = flow.source().host();
      if (target != null && source != null) {
        target.outOfSequence.add((double) lost / BLAMED);
        source.sequenceErrors.add((double) lost / BLAMED);
      }
    }
  }
}
