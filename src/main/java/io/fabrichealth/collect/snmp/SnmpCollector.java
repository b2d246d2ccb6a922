package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Reads one switch over SNMP. Counters, states and sensors are read in every pass; names,
 * neighbours, and what the device does not seem to have, in the first pass, in every sixth, and
 * where the device says that its interfaces changed.
 */
public final class SnmpCollector implements Collector {
  static final String NAME = "snmp";

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final SnmpTarget target;
  private final AgentConnection agent;
  private final DeviceReader reader;
  private final Pace pace;
  private final BackOff backOff;
  private final InstantSource clock;

  /**
   * @throws IllegalArgumentException where the target has no usable credentials
   */
  public SnmpCollector(
      SnmpTarget target,
      SnmpSession session,
      SignalDictionary dictionary,
      SnmpMapping mapping,
      InstantSource clock) {
    this.target = target;
    this.clock = clock;
    agent = new AgentConnection(session, target);
    pace = new Pace(target.interval());
    reader = new DeviceReader(target, agent, dictionary, mapping, pace, clock);
    backOff = new BackOff(target.interval(), LONGEST_PAUSE);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String device() {
    return target.device();
  }

  @Override
  public String address() {
    return target.address() + ":" + target.port();
  }

  @Override
  public Duration interval() {
    return pace.interval();
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Instant now = clock.instant();
    String held = backOff.holds(now);
    if (held != null) {
      return missed(now, FailureCode.BACK_OFF, agent.name() + ": " + held);
    }
    long nanos = System.nanoTime() + Math.max(0, Duration.between(now, deadline).toNanos());
    try {
      CollectOutcome outcome = reader.read(nanos);
      backOff.succeeded();
      return outcome;
    } catch (CollectException e) {
      agent.forget();
      backOff.failed(clock.instant(), String.valueOf(e.getMessage()));
      return missed(clock.instant(), e.code(), String.valueOf(e.getMessage()));
    }
  }

  private CollectOutcome missed(Instant at, FailureCode code, String message) {
    return CollectOutcome.missed(target.device(), NAME, at, new Problem(code, message));
  }

  @Override
  public void close() {
    agent.forget();
  }
}
