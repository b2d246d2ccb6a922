package io.fabrichealth.collective;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.JobImpact;
import org.jspecify.annotations.Nullable;

/**
 * What the collectives of a job say of a subject, and what it costs the job.
 *
 * @param impact null where nothing goes on whose loss could be measured
 */
public record JobFinding(Finding finding, @Nullable JobImpact impact) {}
