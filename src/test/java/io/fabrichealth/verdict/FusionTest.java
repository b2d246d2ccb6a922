package io.fabrichealth.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FusionTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final PortId A = new PortId("gpu-001", "mlx5_0/1");
  private static final PortId B = new PortId("leaf1", "Ethernet1/1");
  private static final Subject LINK =
      new Subject(io.fabrichealth.finding.SubjectType.LINK, A.id() + "--" + B.id());
  private static final Subject HOST = Subject.host("gpu-001");

  private static Finding finding(Cause cause, Family family, double nats) {
    return finding(LINK, cause, family, nats, Subject.of(B));
  }

  private static Finding finding(
      Subject subject, Cause cause, Family family, double nats, Subject where) {
    return new Finding(
        "detector",
        subject,
        cause,
        new Evidence(
            family,
            "a.signal",
            where,
            "5 of something",
            "none",
            Reference.LIMIT,
            nats,
            NOW.minusSeconds(60),
            NOW,
            "snmp leaf1"),
        NOW.minusSeconds(60));
  }

  private static Fused fuse(Finding... findings) {
    return Fusion.fuse(LINK, List.of(A, B), List.of(findings), NOW);
  }

  private static void assertAddsUp(Fused fused) {
    double sum = fused.evidence().stream().mapToDouble(Evidence::nats).sum();
    double p = fused.probability();
    assertThat(sum).isCloseTo(Math.log(p) - Math.log1p(-p), within(1e-9));
    assertThat(sum).isCloseTo(fused.logOdds(), within(1e-9));
  }

  @Test
  void without_findings_there_is_the_prior_and_nothing_else() {
    Fused fused = fuse();

    assertThat(fused.probability()).isCloseTo(3e-3, within(1e-12));
    assertThat(fused.cause()).isNull();
    assertThat(fused.evidence()).singleElement().matches(line -> line.family() == Family.PRIOR);
    assertThat(fused.members()).containsExactly(A.id(), B.id());
    assertThat(fused.summary())
        .isEqualTo("Nothing speaks against the link gpu-001:mlx5_0/1 to leaf1:Ethernet1/1.");
    assertAddsUp(fused);
  }

  @Test
  void evidence_adds_up_whatever_the_detectors_say() {
    Random random = new Random(7);
    Cause[] causes = Cause.values();
    Family[] families = Family.values();
    for (int run = 0; run < 2_000; run++) {
      List<Finding> findings = new ArrayList<>();
      for (int count = random.nextInt(8); count > 0; count--) {
        findings.add(
            finding(
                causes[random.nextInt(causes.length)],
                families[1 + random.nextInt(families.length - 1)],
                random.nextDouble(-40, 60)));
      }
      Fused fused = Fusion.fuse(LINK, List.of(A, B), findings, NOW);
      assertAddsUp(fused);
      assertThat(fused.evidence()).hasSize(findings.size() + 1);
      assertThat(fused.evidence().getFirst().family()).isEqualTo(Family.PRIOR);
    }
  }

  @Test
  void the_order_of_findings_does_not_matter() {
    List<Finding> findings =
        new ArrayList<>(
            List.of(
                finding(Cause.PHY_LINK, Family.PHY, 20),
                finding(Cause.PHY_LANE, Family.PHY, 20),
                finding(Cause.PACKET_LOSS, Family.LOSS, 20),
                finding(Cause.LINK_FLAP, Family.EVENT, 20),
                finding(Cause.LINK_DOWN, Family.EVENT, 12),
                finding(Cause.CONGESTION, Family.PAUSE, 2)));
    Fused first = Fusion.fuse(LINK, List.of(A, B), findings, NOW);
    Random random = new Random(3);
    for (int run = 0; run < 50; run++) {
      Collections.shuffle(findings, random);
      Fused other = Fusion.fuse(LINK, List.of(A, B), findings, NOW);
      assertThat(other.evidence()).isEqualTo(first.evidence());
      assertThat(other.cause()).isEqualTo(first.cause());
    }
  }

  @Test
  void of_a_family_only_the_strongest_counts_and_no_more_than_the_family_may() {
    Fused fused =
        fuse(
            finding(Cause.PHY_LANE, Family.PHY, 55),
            finding(Cause.PHY_LINK, Family.PHY, 40),
            finding(Cause.PHY_LINK, Family.PHY, 3));

    assertThat(fused.logOdds()).isCloseTo(Prior.LOG_ODDS + 20, within(1e-12));
    assertThat(fused.evidence()).extracting(Evidence::nats).endsWith(20.0, 0.0, 0.0);
  }

  @Test
  void families_add_up_to_what_can_be_claimed() {
    Fused fused =
        fuse(finding(Cause.PHY_LINK, Family.PHY, 20), finding(Cause.PHY_LINK, Family.LOSS, 20));

    assertThat(fused.logOdds()).isCloseTo(Fusion.CERTAIN, within(1e-12));
    assertThat(fused.probability()).isLessThan(1);
    assertAddsUp(fused);
  }

  @Test
  void weak_evidence_of_two_families_is_together_more() {
    double alone = fuse(finding(Cause.PHY_LINK, Family.PHY, 5)).probability();
    double both =
        fuse(finding(Cause.PHY_LINK, Family.PHY, 5), finding(Cause.PACKET_LOSS, Family.LOSS, 5))
            .probability();

    assertThat(alone).isLessThan(.5);
    assertThat(both).isGreaterThan(.95);
  }

  @Test
  void one_bad_lane_explains_the_errors_of_its_link_and_both_explain_lost_packets() {
    assertThat(
            fuse(
                    finding(Cause.PHY_LINK, Family.PHY, 20),
                    finding(Cause.PHY_LANE, Family.PHY, 14),
                    finding(Cause.PACKET_LOSS, Family.LOSS, 20))
                .cause())
        .isEqualTo(Cause.PHY_LANE);
    assertThat(
            fuse(
                    finding(Cause.PHY_LINK, Family.PHY, 12),
                    finding(Cause.PACKET_LOSS, Family.LOSS, 20))
                .cause())
        .isEqualTo(Cause.PHY_LINK);
  }

  @Test
  void a_cause_that_is_itself_in_doubt_explains_nothing() {
    assertThat(
            fuse(
                    finding(Cause.PHY_LINK, Family.PHY, 3),
                    finding(Cause.PACKET_LOSS, Family.LOSS, 20))
                .cause())
        .isEqualTo(Cause.PACKET_LOSS);
  }

  @Test
  void flapping_explains_that_it_is_down() {
    Fused fused =
        fuse(
            finding(Cause.LINK_DOWN, Family.EVENT, 12),
            finding(Cause.LINK_FLAP, Family.EVENT, 9.2));

    assertThat(fused.cause()).isEqualTo(Cause.LINK_FLAP);
    assertThat(fused.down()).isTrue();
  }

  @Test
  void congestion_is_listed_beside_a_link_and_never_counts() {
    Fused fused = fuse(finding(Cause.CONGESTION, Family.PAUSE, 9));

    assertThat(fused.probability()).isCloseTo(3e-3, within(1e-12));
    assertThat(fused.cause()).isNull();
    assertThat(fused.evidence()).hasSize(2);
    assertAddsUp(fused);
  }

  @Test
  void a_slow_receiver_is_certain_enough_from_pause_alone_and_its_link_is_a_member() {
    Fused fused =
        Fusion.fuse(
            HOST,
            List.of(),
            List.of(finding(HOST, Cause.SLOW_RECEIVER, Family.PAUSE, 10, LINK)),
            NOW);

    assertThat(fused.probability()).isGreaterThan(Track.OPEN_ABOVE);
    assertThat(fused.cause()).isEqualTo(Cause.SLOW_RECEIVER);
    assertThat(fused.members()).containsExactly(LINK.id());
    assertThat(fused.summary())
        .startsWith("Host gpu-001 receives too slowly and pauses the fabric: 5 of something at");
  }

  @Test
  void the_summary_names_both_ends_what_is_wrong_and_what_was_seen() {
    assertThat(fuse(finding(Cause.PHY_LINK, Family.PHY, 12)).summary())
        .isEqualTo(
            "The link gpu-001:mlx5_0/1 to leaf1:Ethernet1/1 has too many bit errors:"
                + " 5 of something at leaf1:Ethernet1/1, expected none.");
  }

  @Test
  void of_a_link_that_is_down_it_says_where_and_for_how_long_in_one_clause() {
    assertThat(down("down at both ends for 55 s", NOW.minusSeconds(55)))
        .isEqualTo(
            "The link gpu-001:mlx5_0/1 to leaf1:Ethernet1/1 has been down at both ends for 55 s,"
                + " though both ends are enabled.");
    assertThat(down("down at leaf1:Ethernet1/1", NOW))
        .isEqualTo(
            "The link gpu-001:mlx5_0/1 to leaf1:Ethernet1/1 is down at leaf1:Ethernet1/1,"
                + " though both ends are enabled.");
  }

  private static String down(String observed, Instant since) {
    Evidence evidence =
        new Evidence(
            Family.EVENT,
            "port.oper_up",
            Subject.of(B),
            observed,
            "up, as enabled",
            Reference.LIMIT,
            12,
            since,
            NOW,
            "snmp leaf1");
    return fuse(new Finding("link-down", LINK, Cause.LINK_DOWN, evidence, since)).summary();
  }

  @Test
  void a_number_that_is_none_counts_nothing() {
    Fused fused = fuse(finding(Cause.PHY_LINK, Family.PHY, Double.NaN));

    assertThat(fused.probability()).isCloseTo(3e-3, within(1e-12));
    assertAddsUp(fused);
  }
}
