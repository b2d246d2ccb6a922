package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.collect.infiniband.ToolRunner.End;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Discovers a subnet: {@code ibnetdiscover} for nodes and links, {@code iblinkinfo} for the state
 * of every port, those without a link too.
 */
final class Discovery {
  private final ToolWords words;
  private final Duration timeout;
  private final ToolRunner runner;
  private final InstantSource clock;

  Discovery(ToolWords words, Duration timeout, ToolRunner runner, InstantSource clock) {
    this.words = words;
    this.timeout = timeout;
    this.runner = runner;
    this.clock = clock;
  }

  /**
   * What a discovery brought.
   *
   * @param problems that lost some of it
   */
  record Found(KnownSubnet known, List<Problem> problems) {}

  /**
   * Runs the tools.
   *
   * @throws CollectException where the wiring could not be read, or not to its end
   */
  Found discover() throws CollectException, InterruptedException {
    Subnet subnet = run("ibnetdiscover", List.of(), Format.IBNETDISCOVER);
    List<Problem> problems = new ArrayList<>(subnet.refusals().problems());
    try {
      Subnet states = run("iblinkinfo", List.of("-l"), Format.IBLINKINFO);
      problems.addAll(states.refusals().problems());
      problems.addAll(PortStates.add(states, subnet));
    } catch (CollectException e) {
      problems.add(new Problem(e.code(), "the state of ports is not known: " + e.getMessage()));
    }
    Instant at = clock.instant();
    return new Found(KnownSubnet.of(subnet, at), problems);
  }

  private Subnet run(String tool, List<String> options, Format format)
      throws CollectException, InterruptedException {
    AtomicReference<Subnet> read = new AtomicReference<>();
    End end;
    try {
      end =
          runner.run(
              words.of(tool, options),
              timeout,
              out -> read.set(InfinibandTopology.subnet(format, out)));
    } catch (CollectException e) {
      throw new CollectException(e.code(), tool + ": " + e.getMessage(), e);
    }
    Subnet subnet = read.get();
    if (end.exitCode() != 0) {
      throw words.failed(tool, end);
    }
    if (subnet == null || subnet.nodes().isEmpty()) {
      throw new CollectException(
          FailureCode.MALFORMED,
          tool + " named no node" + (end.complaint().isEmpty() ? "" : ": " + end.complaint()),
          null);
    }
    return subnet;
  }
}
