package io.fabrichealth.runtime;

import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What is known of the fabric at one moment; immutable, so that a reader sees one state throughout.
 *
 * @param verdicts every link and half-link of the fabric has one; other subjects while something
 *     speaks against them
 * @param readings last readings by port
 */
public record FabricSnapshot(
    Instant at,
    SignalDictionary dictionary,
    Fabric fabric,
    Map<Subject, Verdict> verdicts,
    Map<PortId, PortReadings> readings,
    List<TargetStatus> targets) {}
