package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes outcomes of the pages of one exporter and keeps what it learns between them: boot identity,
 * which port gives what, what the host looks like.
 */
public final class PageReader {
  /** The collector's name. */
  public static final String NAME = "prometheus";

  /** A host that does not change is told again after so many pages. */
  private static final int PAGES_BETWEEN_SIGHTINGS = 30;

  /** The kernel computes the boot time anew, so it moves when the clock is set. */
  private static final Duration SAME_BOOT = Duration.ofSeconds(5);

  private final String device;
  private final Role role;
  private final MetricMapping mapping;
  private final Map<String, PortMemory> memories = new LinkedHashMap<>();
  private @Nullable Instant boot;
  private @Nullable Sighting lastSighting;
  private int pagesSinceSighting;

  public PageReader(String device, Role role, MetricMapping mapping) {
    this.device = device;
    this.role = role;
    this.mapping = mapping;
  }

  /**
   * The outcome of a page.
   *
   * @param at when its end was in hand
   * @param ended why reading ended early; null where it did not
   */
  public CollectOutcome outcome(Page page, Instant at, @Nullable Problem ended) {
    List<Problem> problems = problems(page, ended);
    if (page.readings() == 0) {
      return CollectOutcome.of(
          PollBatch.missed(device, NAME, at), null, page.table().leftOut(), problems, List.of());
    }
    boolean whole = ended == null && !page.endsInLine();
    PollBatch.Builder batch =
        PollBatch.builder(device, NAME, at)
            .deviceTime(page.facts().clock())
            .boot(boot(page.facts().bootTime()));
    PortAssembly assembly = new PortAssembly(mapping, page, batch, memories);
    List<SeenPort> ports = assembly.addPorts(whole);
    List<String> lost = whole ? assembly.addLost() : List.of();
    if (!lost.isEmpty()) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              "the exporter no longer gives "
                  + String.join(", ", lost.subList(0, Math.min(lost.size(), 5)))
                  + (lost.size() > 5 ? " and %d more".formatted(lost.size() - 5) : "")));
    }
    return CollectOutcome.of(
        batch.build(problems.isEmpty()),
        whole ? sighting(page.facts(), ports) : null,
        page.table().leftOut(),
        problems,
        List.of());
  }

  private static List<Problem> problems(Page page, @Nullable Problem ended) {
    List<Problem> problems = new ArrayList<>();
    if (ended != null) {
      problems.add(ended);
    } else if (page.endsInLine()) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              "the page ends within line %d, which was not taken".formatted(page.lines() + 1)));
    }
    for (String complaint : page.complaints()) {
      problems.add(new Problem(FailureCode.MALFORMED, complaint));
    }
    if (page.readings() == 0 && problems.isEmpty()) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              "none of the page's %d samples is of a port of a fabric".formatted(page.samples())));
    }
    return problems;
  }

  private @Nullable String boot(@Nullable Instant told) {
    if (told == null) {
      return boot == null ? null : boot.toString();
    }
    if (boot == null || Duration.between(boot, told).abs().compareTo(SAME_BOOT) > 0) {
      boot = told;
    }
    return boot.toString();
  }

  private @Nullable Sighting sighting(HostFacts facts, List<SeenPort> ports) {
    List<String> chassis = new ArrayList<>();
    facts
        .addresses()
        .forEach(
            (netdev, mac) -> {
              MetricMapping.LeftOut rule = mapping.leftOut(netdev);
              if ((rule == null || rule.namesHost()) && !chassis.contains(mac)) {
                chassis.add(mac);
              }
            });
    Sighting seen =
        new Sighting(device, role, facts.systemName(), null, chassis, ports, List.of(), false);
    boolean isOld = seen.equals(lastSighting);
    if (isOld && ++pagesSinceSighting < PAGES_BETWEEN_SIGHTINGS) {
      return null;
    }
    pagesSinceSighting = 0;
    lastSighting = seen;
    return seen;
  }
}
