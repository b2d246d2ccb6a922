package io.fabrichealth.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.snmp.SnmpCollector;
import io.fabrichealth.collect.snmp.SnmpMapping;
import io.fabrichealth.collect.snmp.SnmpSession;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much of a core it takes to poll many switches over SNMP. The switches are agents in another
 * process on the loopback interface; what is measured is the processor time of this one, from the
 * second round on.
 *
 * <pre>
 * mvn -q test-compile dependency:build-classpath \
 *     -Dmdep.includeScope=test -Dmdep.outputFile=target/classpath
 * java -cp target/test-classes:target/classes:$(cat target/classpath) \
 *     io.fabrichealth.benchmark.SnmpLoad [switches [ports [interval seconds [rounds]]]]
 * </pre>
 */
public final class SnmpLoad {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final LongAdder readings = new LongAdder();
  private final LongAdder passes = new LongAdder();
  private final LongAdder problems = new LongAdder();
  private final AtomicBoolean running = new AtomicBoolean(true);

  private SnmpLoad() {}

  public static void main(String[] arguments) throws Exception {
    int switches = argument(arguments, 0, 200);
    int ports = argument(arguments, 1, 64);
    int interval = argument(arguments, 2, 30);
    int rounds = argument(arguments, 3, 6);
    Process agents =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                SnmpLoadAgents.class.getName(),
                Integer.toString(switches),
                Integer.toString(ports))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      List<Integer> listening = new ArrayList<>();
      var lines = agents.inputReader();
      while (listening.size() < switches) {
        String line = lines.readLine();
        if (line == null) {
          throw new IllegalStateException("the agents ended");
        }
        listening.add(Integer.valueOf(line));
      }
      new SnmpLoad().run(listening, ports, Duration.ofSeconds(interval), rounds);
    } finally {
      agents.destroy();
    }
  }

  private static int argument(String[] arguments, int at, int otherwise) {
    return arguments.length > at ? Integer.parseInt(arguments[at]) : otherwise;
  }

  private void run(List<Integer> listening, int ports, Duration interval, int rounds)
      throws Exception {
    SignalDictionary dictionary = SignalCatalogue.load();
    SnmpMapping mapping = SnmpMapping.load(dictionary);
    List<Thread> threads = new ArrayList<>();
    try (SnmpSession session = SnmpSession.open()) {
      for (int at = 0; at < listening.size(); at++) {
        SnmpTarget target =
            new SnmpTarget(
                "switch" + at,
                Role.LEAF,
                "127.0.0.1",
                listening.get(at),
                interval,
                Duration.ofSeconds(2),
                new SnmpTarget.Community("public"),
                null);
        SnmpCollector collector =
            new SnmpCollector(target, session, dictionary, mapping, InstantSource.system());
        Duration offset = interval.multipliedBy(at).dividedBy(listening.size());
        threads.add(Thread.startVirtualThread(() -> poll(collector, offset, interval)));
      }
      Thread.sleep(interval.plusSeconds(1));
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      long cpu = system.getProcessCpuTime();
      long time = System.nanoTime();
      long passesBefore = passes.sum();
      long readingsBefore = readings.sum();
      Thread.sleep(interval.multipliedBy(rounds));
      double used = system.getProcessCpuTime() - cpu;
      double elapsed = System.nanoTime() - time;
      running.set(false);
      System.out.printf(
          "switches=%d ports=%d interval=%ds seconds=%.0f passes=%d readings=%d problems=%d"
              + " cpu_seconds=%.2f core_share=%.1f%%%n",
          listening.size(),
          ports,
          interval.toSeconds(),
          elapsed / NANOS_PER_SECOND,
          passes.sum() - passesBefore,
          readings.sum() - readingsBefore,
          problems.sum(),
          used / NANOS_PER_SECOND,
          100 * used / elapsed);
      threads.forEach(Thread::interrupt);
    }
  }

  private void poll(SnmpCollector collector, Duration offset, Duration interval) {
    try {
      Thread.sleep(offset);
      while (running.get()) {
        long start = System.nanoTime();
        CollectOutcome outcome = collector.collect(Instant.now().plus(interval));
        passes.increment();
        readings.add(outcome.batch().size());
        problems.add(outcome.problems().size());
        Thread.sleep(interval.minusNanos(System.nanoTime() - start));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
