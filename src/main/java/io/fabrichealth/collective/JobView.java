package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job at one moment: who is where, and the collectives that are fresh. */
final class JobView {
  static final String DETECTOR = "collective-timing";

  private final Job job;
  private final Instant from;
  private final Instant at;
  private final Fabric fabric;
  private final List<Series> series;
  private final Map<Integer, JobRank> ranks = new HashMap<>();

  JobView(Job job, Instant from, Instant at, Fabric fabric, List<Series> series) {
    this.job = job;
    this.from = from;
    this.at = at;
    this.fabric = fabric;
    this.series = series;
    job.ranks().forEach(rank -> ranks.put(rank.rank(), rank));
  }

  Job job() {
    return job;
  }

  List<Series> series() {
    return series;
  }

  int gpus() {
    return Math.max(1, ranks.size());
  }

  @Nullable String host(int rank) {
    JobRank known = ranks.get(rank);
    return known == null ? null : known.host();
  }

  /** The ranks that run on a host. */
  Set<Integer> ranksOf(String host) {
    Set<Integer> there = new HashSet<>();
    for (JobRank rank : job.ranks()) {
      if (host.equals(rank.host())) {
        there.add(rank.rank());
      }
    }
    return there;
  }

  /** The link at the port that a rank uses; null where that is not known. */
  @Nullable Link link(int rank) {
    JobRank known = ranks.get(rank);
    if (known == null || known.host() == null || known.port() == null) {
      return null;
    }
    return fabric.linkAt(new PortId(known.host(), known.port()));
  }

  boolean spansHosts(int[] members) {
    Set<String> hosts = new HashSet<>();
    for (int rank : members) {
      String host = host(rank);
      if (host != null) {
        hosts.add(host);
      }
    }
    return hosts.size() > 1;
  }

  Subject rank(int rank) {
    return Subject.rank(job.name(), rank);
  }

  Subject ofJob() {
    return Subject.job(job.name());
  }

  /** A finding about a subject of the job, with its evidence in words. */
  Finding finding(
      Subject subject,
      Cause cause,
      Family family,
      Reference reference,
      double nats,
      String observed,
      String expected,
      Collection<Subject> members) {
    Evidence evidence =
        new Evidence(
            family,
            "collective.duration",
            subject,
            observed,
            expected,
            reference,
            family.clip(nats),
            from,
            at,
            "job " + job.name());
    return new Finding(DETECTOR, subject, cause, evidence, from, List.copyOf(members));
  }

  static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /**
   * The log-likelihood ratio of so many of so many, against what comes by chance.
   *
   * @param byChance 0 to 1, without both
   */
  static double nats(double share, int outOf, double byChance) {
    if (share <= byChance) {
      return 0;
    }
    double part = Math.min(share, 1);
    double rest = part < 1 ? (1 - part) * Math.log((1 - part) / (1 - byChance)) : 0;
    return outOf * (part * Math.log(part / byChance) + rest);
  }
}
