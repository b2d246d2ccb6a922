package io.fabrichealth.incident.internal;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.List;

/** Verdicts to make incidents of. */
final class TestVerdicts {
  static final Instant AT = Instant.parse("2026-11-01T10:00:00Z");
  static final Subject LINK = link(1);
  static final Subject HOST = Subject.host("gpu-001");

  private TestVerdicts() {}

  static Subject link(int number) {
    return new Subject(
        SubjectType.LINK, "gpu-%03d:mlx5_0/1--leaf1:Ethernet1/%d".formatted(number, number));
  }

  static Verdict open(Subject subject, Cause cause, double probability) {
    return open(subject, cause, probability, AT);
  }

  static Verdict open(Subject subject, Cause cause, double probability, Instant openedAt) {
    List<Evidence> evidence = List.of(evidence("prior", -9.2), evidence("fec.corrected_bits", 13));
    return verdict(subject, cause, probability, openedAt, evidence);
  }

  static Verdict open(Subject subject, Cause cause, double probability, List<Evidence> evidence) {
    return verdict(subject, cause, probability, AT, evidence);
  }

  static Verdict closed(Subject subject) {
    return verdict(subject, null, .01, null, List.of(evidence("prior", -9.2)));
  }

  static Evidence evidence(String signal, double nats) {
    return new Evidence(
        signal.equals("prior") ? Family.PRIOR : Family.PHY,
        signal,
        LINK,
        "4.2e-6 /bit",
        "< 1e-7 /bit",
        Reference.LIMIT,
        nats,
        AT.minusSeconds(30),
        AT,
        "snmp leaf1");
  }

  private static Verdict verdict(
      Subject subject, Cause cause, double probability, Instant openedAt, List<Evidence> evidence) {
    return new Verdict(
        subject,
        openedAt == null ? LinkState.HEALTHY : LinkState.DEGRADED,
        probability,
        cause,
        AT,
        openedAt,
        evidence,
        List.of("gpu-001:mlx5_0/1", "leaf1:Ethernet1/1"),
        Coverage.NONE,
        "lane 2 has errors");
  }
}
