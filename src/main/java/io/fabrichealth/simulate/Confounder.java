package io.fabrichealth.simulate;

import io.fabrichealth.topology.PortId;
import java.util.List;

/** Something that looks odd and is no fault: it must not be blamed on any link. */
public sealed interface Confounder {

  /** What it is, in a sentence for people. */
  String text();

  /** Many senders to few hosts of one leaf: full egress, ECN marks, some pause and drops. */
  record Incast(String leaf, List<PortId> targets) implements Confounder {
    public Incast {
      targets = List.copyOf(targets);
    }

    @Override
    public String text() {
      return "congested leaf: many send to " + targets + " behind " + leaf;
    }
  }

  /** A lane that errs more than its siblings and always has, far from any limit. */
  record HighLane(PortId receiver, int lane, double bitErrorRatio) implements Confounder {
    @Override
    public String text() {
      return "lane %d towards %s has always erred at %.0e".formatted(lane, receiver, bitErrorRatio);
    }
  }

  /** A module whose power readings are off by a constant. */
  record MiscalibratedModule(PortId port, double offsetDecibels) implements Confounder {
    @Override
    public String text() {
      return "module of %s reads %.1f dB off".formatted(port, offsetDecibels);
    }
  }
}
