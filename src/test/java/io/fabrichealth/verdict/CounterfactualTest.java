package io.fabrichealth.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CounterfactualTest {
  private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");
  private static final Subject LINK = new Subject(SubjectType.LINK, "a:1--b:1");

  @Test
  void it_is_the_verdict_of_the_findings_of_all_other_families() {
    Finding phy = finding(Family.PHY, "fec.corrected_bits", 30);
    Finding lane = finding(Family.PHY, "fec.symbol_errors", 6);
    Finding loss = finding(Family.LOSS, "port.in_errors", 25);
    Finding latency = finding(Family.LATENCY, "rtt", -2);

    List<Counterfactual> found = Counterfactual.of(evidence(phy, lane, loss, latency));

    assertThat(found)
        .extracting(Counterfactual::without)
        .containsExactlyInAnyOrder(Family.PHY, Family.LOSS, Family.LATENCY);
    assertIs(found, Family.PHY, loss, latency);
    assertIs(found, Family.LOSS, phy, lane, latency);
  }

  @Test
  void what_the_ceiling_of_the_sum_cut_off_counts_where_it_is_needed() {
    Finding phy = finding(Family.PHY, "fec.corrected_bits", 40);
    Finding loss = finding(Family.LOSS, "port.in_errors", 40);

    List<Counterfactual> found = Counterfactual.of(evidence(phy, loss));

    assertIs(found, Family.PHY, loss);
    assertIs(found, Family.LOSS, phy);
    assertThat(found).allMatch(one -> one.probability() > .999);
  }

  @Test
  void what_something_else_explains_is_no_evidence_that_could_be_left_out() {
    Fused fused =
        Fusion.fuse(
            LINK,
            List.of(),
            List.of(finding(Family.LOSS, "port.in_errors", 12, Cause.PACKET_LOSS)),
            java.util.Set.of(Cause.SWITCH_PACKET_LOSS),
            AT);

    assertThat(Counterfactual.of(fused.evidence())).isEmpty();
  }

  private static void assertIs(List<Counterfactual> found, Family without, Finding... rest) {
    assertThat(found)
        .filteredOn(one -> one.without() == without)
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.logOdds())
                    .isCloseTo(
                        Fusion.fuse(LINK, List.of(), List.of(rest), AT).logOdds(), within(1e-9)));
  }

  private static List<Evidence> evidence(Finding... findings) {
    return Fusion.fuse(LINK, List.of(), Stream.of(findings).toList(), AT).evidence();
  }

  private static Finding finding(Family family, String signal, double nats) {
    return finding(family, signal, nats, Cause.PHY_LINK);
  }

  private static Finding finding(Family family, String signal, double nats, Cause cause) {
    return new Finding(
        "test",
        LINK,
        cause,
        new Evidence(family, signal, LINK, "many", "few", Reference.LIMIT, nats, AT, AT, "snmp a"),
        AT);
  }
}
