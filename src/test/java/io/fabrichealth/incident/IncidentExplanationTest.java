package io.fabrichealth.incident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.Fused;
import io.fabrichealth.verdict.Fusion;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IncidentExplanationTest {
  private static final Instant START = Instant.parse("2026-03-01T08:00:00Z");
  private static final Duration LATER = Duration.ofHours(3);
  private static final PortId LEAF = new PortId("leaf1", "Ethernet1/7");
  private static final PortId HOST = new PortId("gpu-003", "mlx5_0/1");
  private static final Subject LINK =
      new Subject(SubjectType.LINK, "gpu-003:mlx5_0/1--leaf1:Ethernet1/7");

  private final CurrentIncidents current = new CurrentIncidents(Suppressor.NONE);

  @Test
  void it_reads_as_a_person_would_write_it() {
    Incident incident =
        incident(
            Cause.PHY_LANE,
            line(Family.PHY, "fec.symbol_errors", 14),
            line(Family.LOSS, "port.in_errors", 3));

    assertThat(explain(incident).text())
        .isEqualTo(
            "The link gpu-003:mlx5_0/1 to leaf1:Ethernet1/7 has one bad lane: 120 in 10 s at"
                + " leaf1:Ethernet1/7#2, expected at most 1. One lane makes bit errors that its"
                + " neighbours do not, which is a matter of one fibre, one laser or one contact."
                + " It has been so for 3 hours, since 1 March 2026 08:00 UTC. The service is"
                + " more than 99.99 % sure of it, mostly because of what the ports count and"
                + " measure of bit errors and light, without which it would be 5.7 %. FEC hides"
                + " the errors until there are too many in one codeword; then packets are lost,"
                + " and every rank waits for the one that sends again. What to do: clean and reseat"
                + " the module at the receiving end; replace it if the lane stays bad. Check"
                + " first: compare the lane's received power with that of the other lanes of the"
                + " module.");
  }

  @Test
  void evidence_that_stands_without_its_strongest_kind_is_said_to() {
    Incident incident =
        incident(
            Cause.PHY_LINK,
            line(Family.PHY, "fec.corrected_bits", 12),
            line(Family.LOSS, "port.in_errors", 11));

    assertThat(explain(incident).text())
        .contains("no single kind of evidence carries it alone: without that one it would still");
  }

  @Test
  void evidence_of_one_kind_is_said_to_be_all_there_is() {
    Incident incident = incident(Cause.PHY_LINK, line(Family.PHY, "fec.corrected_bits", 10));

    assertThat(explain(incident).text())
        .contains("98.5 % sure", "nothing else speaks for it yet", "would be 0.3 %");
  }

  @Test
  void what_it_costs_is_said_where_jobs_say_so() {
    Incident incident = incident(Cause.PHY_LINK, line(Family.PHY, "fec.corrected_bits", 10));
    List<JobImpact> costs =
        List.of(
            new JobImpact("train-3", .01, 0, .02, 1.5),
            new JobImpact("train-7", .04, .02, .06, 30));

    assertThat(IncidentExplanation.of(incident, costs, START).text())
        .contains(
            "It costs about 31.5 GPU-hours a day; job train-7 loses most, 4.0 % of its time"
                + " (2.0 % to 6.0 %).");
    assertThat(explain(incident).text()).doesNotContain("GPU-hours");
  }

  @Test
  void who_looks_after_it_and_how_often_it_failed_before_is_said() {
    incident(Cause.LINK_FLAP, line(Family.EVENT, "port.link_downed", 12));
    current.apply(verdict(Cause.LINK_FLAP, false), START.plusSeconds(60));
    Incident again = incident(Cause.LINK_FLAP, line(Family.EVENT, "port.link_downed", 12));
    Incident taken =
        current.decide(again, new Decision.Acknowledgement("ada", null), START.plusSeconds(90));

    assertThat(explain(taken).text())
        .contains(
            "The same failed once in the 30 days before, last until 1 March 2026 08:01 UTC.",
            "ada looks after it.");
  }

  @Test
  void one_that_is_over_is_told_in_the_past() {
    incident(Cause.LINK_FLAP, line(Family.EVENT, "port.link_downed", 12));
    Incident ended =
        current
            .apply(verdict(Cause.LINK_FLAP, false), START.plusSeconds(1_200))
            .getFirst()
            .incident();

    assertThat(explain(ended).text())
        .contains(
            "It was so for 20 minutes, from 1 March 2026 08:00 UTC to 1 March 2026 08:20 UTC.",
            "The service was ");
  }

  @ParameterizedTest
  @EnumSource
  void every_cause_is_explained_in_whole_sentences(Cause cause) {
    Incident incident = incident(cause, line(Family.EVENT, "made.up", 12));
    IncidentExplanation explanation = explain(incident);

    assertThat(explanation.text())
        .startsWith(incident.summary())
        .contains(explanation.guidance().meaning(), explanation.guidance().impact())
        .doesNotContain("null", "{", "%s", "..", "  ", cause.name() + " ")
        .hasSizeBetween(300, 1_200)
        .endsWith(".");
    assertThat(explanation.guidance().checks()).isNotEmpty().allMatch(check -> check.endsWith("."));
    assertThat(explanation.logOdds())
        .isCloseTo(
            Math.log(incident.probability()) - Math.log1p(-incident.probability()), within(1e-9));
  }

  private static IncidentExplanation explain(Incident incident) {
    return IncidentExplanation.of(incident, List.of(), START.plus(LATER));
  }

  private static Evidence line(Family family, String signal, double nats) {
    Subject at = Subject.lane(LEAF, 2);
    return new Evidence(
        family,
        signal,
        at,
        "120 in 10 s",
        "at most 1",
        Reference.LIMIT,
        nats,
        START,
        START,
        "snmp leaf1");
  }

  private Incident incident(Cause cause, Evidence... lines) {
    List<CurrentIncidents.Change> changes = current.apply(verdict(cause, true, lines), START);
    return changes.getLast().incident();
  }

  private static Verdict verdict(Cause cause, boolean open, Evidence... lines) {
    Subject subject = cause.degradesLink() ? LINK : new Subject(SubjectType.HOST, "gpu-003");
    List<PortId> ends = cause.degradesLink() ? List.of(HOST, LEAF) : List.of();
    Fused fused =
        Fusion.fuse(
            subject,
            ends,
            Stream.of(lines).map(line -> new Finding("test", subject, cause, line, START)).toList(),
            START);
    return new Verdict(
        subject,
        open ? LinkState.DEGRADED : LinkState.HEALTHY,
        fused.probability(),
        cause,
        START,
        open ? START : null,
        fused.evidence(),
        fused.members(),
        Coverage.NONE,
        fused.summary());
  }
}
