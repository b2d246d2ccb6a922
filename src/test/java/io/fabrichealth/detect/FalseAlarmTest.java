package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
import static io.fabrichealth.testing.DetectorRun.SPEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.Fused;
import io.fabrichealth.verdict.Fusion;
import io.fabrichealth.verdict.Track;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All detectors on ports that are well, and on the same ports with one fault. Seeded. */
class FalseAlarmTest {
  private static final int LINKS = 1_000;
  private static final int HOURS = 20;
  private static final double POLL_SECONDS = 120;
  private static final int LANES = 4;
  private static final Link LINK = Link.between(LEAF, HOST, Tier.HOST_LEAF, 0);

  @Test
  void twenty_thousand_healthy_link_hours_open_no_incident() {
    int opened = 0;
    double highest = 0;
    for (int link = 0; link < LINKS; link++) {
      HealthyLink healthy = new HealthyLink(new Random(1_000 + link));
      Track track = Track.fresh(Subject.of(LINK), healthy.run.now());
      for (int poll = 0; poll < HOURS * 3600 / POLL_SECONDS; poll++) {
        Fused fused = healthy.poll(1);
        track = track.advance(fused, true, true, false, healthy.run.now());
        highest = Math.max(highest, fused.probability());
        if (track.isOpen()) {
          opened++;
          break;
        }
      }
    }

    // None in 20,000 link-hours bounds the rate at 3.6e-3 a link-day (95 %).
    assertThat(opened).isZero();
    assertThat(highest).isLessThan(Track.OPEN_ABOVE);
  }

  @Test
  void the_same_links_with_one_bad_lane_open_one_each() {
    for (int link = 0; link < 50; link++) {
      HealthyLink bad = new HealthyLink(new Random(1_000 + link));
      Fused fused = bad.poll(1);
      for (int poll = 0; poll < 10; poll++) {
        fused = bad.poll(1);
      }
      for (int poll = 0; poll < 3; poll++) {
        fused = bad.poll(6e-5 / bad.ratios[1]);
      }

      assertThat(fused.probability()).isGreaterThan(Track.OPEN_ABOVE);
      assertThat(fused.cause()).isEqualTo(Cause.PHY_LANE);
    }
  }

  /** Errors as every fabric has them: by lane, with temperature, with stray losses and gaps. */
  private static final class HealthyLink {
    final double[] ratios = new double[LANES];
    private final DetectorRun<Object[]> run = DetectorRun.of(AllDetectors::new);
    private final Random random;
    private final double load;
    private double hours;

    HealthyLink(Random random) {
      this.random = random;
      for (int lane = 0; lane < LANES; lane++) {
        ratios[lane] = 1e-9 * Math.pow(200, random.nextDouble());
      }
      load = random.nextDouble(.05, .95);
    }

    Fused poll(double factorOfLaneOne) {
      boolean missed = random.nextInt(100) == 0;
      double seconds = (missed ? 2 : 1) * POLL_SECONDS + random.nextGaussian() * .3;
      hours += seconds / 3600;
      double warmth = Math.pow(10, .3 * Math.sin(2 * Math.PI * hours / 24));
      run.poll(seconds, window -> read(window, seconds, warmth, factorOfLaneOne));
      List<Finding> ofLink =
          run.findings().stream().filter(f -> f.subject().equals(Subject.of(LINK))).toList();
      return Fusion.fuse(Subject.of(LINK), LINK.ends(), ofLink, run.now());
    }

    private void read(FakeWindow window, double seconds, double warmth, double factor) {
      double bits = SPEED * seconds;
      for (int lane = 0; lane < LANES; lane++) {
        double mean = ratios[lane] * warmth * (lane == 1 ? factor : 1) * bits / LANES;
        window.grow("fec.corrected_bits", lane, poisson(mean));
      }
      double packets = bits * load / 8 / 4158;
      boolean busy = load >= .9;
      window
          .grow("fec.uncorrectable_codewords", poisson(bits * 1e-15))
          .grow("port.in_packets", packets)
          .grow("port.out_packets", packets)
          .grow("port.in_octets", packets * 4158)
          .grow("port.out_octets", packets * 4158)
          .grow("port.in_errors", poisson(packets * 1e-9))
          .grow("port.in_discards", poisson(seconds / 30))
          .grow("port.out_discards", poisson(seconds / 1800) + (busy ? poisson(seconds * 50) : 0))
          .grow("ecn.marked_packets", busy ? packets * .01 : packets * 1e-6)
          .grow("pfc.rx_pause_microseconds", busy ? seconds * 2e4 : seconds * 10)
          .grow("port.link_downed", 0);
    }

    private double poisson(double mean) {
      if (mean > 50) {
        return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
      }
      double limit = Math.exp(-mean);
      double product = random.nextDouble();
      int count = 0;
      while (product > limit) {
        product *= random.nextDouble();
        count++;
      }
      return count;
    }
  }

  /** The standard detectors as one. */
  private static final class AllDetectors implements Detector<Object[]> {
    private final List<Detector<?>> all;

    AllDetectors(SignalDictionary dictionary) {
      all = Detectors.standard(dictionary, ThresholdCatalogue.load()).ports();
    }

    @Override
    public String id() {
      return "all";
    }

    @Override
    public Class<Object[]> stateType() {
      return Object[].class;
    }

    @Override
    public Object[] initial() {
      return all.stream().map(Detector::initial).toArray();
    }

    @Override
    public Step<Object[]> step(Object[] states, SignalWindow window, DetectContext context) {
      List<Finding> findings = new ArrayList<>();
      Object[] next = new Object[states.length];
      for (int index = 0; index < states.length; index++) {
        Step<?> step = step(all.get(index), states[index], window, context);
        next[index] = step.state();
        findings.addAll(step.findings());
      }
      return new Step<>(next, findings);
    }

    private static <S> Step<S> step(
        Detector<S> detector, Object state, SignalWindow window, DetectContext context) {
      return detector.step(detector.stateType().cast(state), window, context);
    }
  }
}
