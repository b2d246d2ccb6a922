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
 * @param plan what should be, as it was last put; {@link Fabric#EMPTY} where there is no plan
 * @param verdicts every link and half-link of the fabric has one; other subjects while something
 *     speaks against them
 * @param readings last readings by port
 * @param events what happened to devices and ports lately, the newest first
 */
public record FabricSnapshot(
    Instant at,
    SignalDictionary dictionary,
    Fabric fabric,
    Fabric plan,
    Map<Subject, Verdict> verdicts,
    Map<PortId, PortReadings> readings,
    List<TargetStatus> targets,
    List<RecentEvent> events) {}
