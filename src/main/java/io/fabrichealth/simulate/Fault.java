package io.fabrichealth.simulate;

import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.time.Duration;

/** Something that is wrong in the simulated fabric, from a time on. */
public sealed interface Fault {

  /** How long after the start it sets in. */
  Duration from();

  /** Id of what is at fault: the link's, or the host's name. */
  String subject();

  /** What is wrong, in a sentence for people. */
  String text();

  /**
   * Dirt on one fibre: light is lost on one lane in one direction, its bit errors rise, and bursts
   * of them are longer than the code can correct.
   *
   * @param receiver the end that receives the lane
   * @param lane from 0
   * @param bitErrorRatio of the lane before correction
   * @param lossDecibels optical power lost, positive
   */
  record DirtyLane(
      Duration from,
      Link link,
      PortId receiver,
      int lane,
      double bitErrorRatio,
      double lossDecibels)
      implements Fault {
    @Override
    public String subject() {
      return link.id();
    }

    @Override
    public String text() {
      return "dirty optic: lane %d towards %s has lost %.1f dB and errs at %.1e"
          .formatted(lane, receiver, lossDecibels, bitErrorRatio);
    }
  }

  /** A link that goes down and comes up again and again, beginning with an outage. */
  record FlappingLink(Duration from, Link link, Duration down, Duration up) implements Fault {
    @Override
    public String subject() {
      return link.id();
    }

    @Override
    public String text() {
      return "flapping link: down for %d s of every %d s"
          .formatted(down.toSeconds(), down.plus(up).toSeconds());
    }
  }

  /**
   * A host that cannot take what it is sent and pauses its leaf; its link is sound.
   *
   * @param pausedRatio part of the time that the leaf is paused, 0 to 1
   */
  record SlowReceiver(Duration from, PortId hca, double pausedRatio) implements Fault {
    @Override
    public String subject() {
      return hca.device();
    }

    @Override
    public String text() {
      return "slow receiver: %s pauses its leaf %.0f %% of the time"
          .formatted(hca, 100 * pausedRatio);
    }
  }
}
