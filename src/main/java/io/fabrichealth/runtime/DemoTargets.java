package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.simulate.DemoFabric;
import io.fabrichealth.simulate.Exporter;
import io.fabrichealth.simulate.SnmpAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;

/** The agents and exporters of the demo fabric as targets, and a word to who started it. */
final class DemoTargets {
  private static final Logger log = LoggerFactory.getLogger(DemoTargets.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long MAX_BYTES = 16 << 20;

  private final DemoFabric fabric;

  DemoTargets(DemoFabric fabric) {
    this.fabric = fabric;
  }

  Settings addTo(Settings settings) {
    List<SnmpTarget> switches = new ArrayList<>();
    for (SnmpAgent.Address agent : fabric.switches()) {
      switches.add(
          new SnmpTarget(
              agent.device(),
              agent.role(),
              agent.host(),
              agent.port(),
              INTERVAL,
              TIMEOUT,
              new SnmpTarget.Community(agent.community()),
              null));
    }
    List<PrometheusTarget> hosts = new ArrayList<>();
    for (Exporter.Address exporter : fabric.hosts()) {
      hosts.add(
          new PrometheusTarget(
              exporter.device(),
              exporter.role(),
              exporter.url(),
              INTERVAL,
              TIMEOUT,
              MAX_BYTES,
              null,
              null,
              null));
    }
    return settings.with(
        settings.plan() == null ? fabric.plan() : settings.plan(), switches, hosts);
  }

  @EventListener
  void say(WebServerInitializedEvent started) {
    if (started.getApplicationContext().getServerNamespace() != null) {
      // That of the management endpoints.
      return;
    }
    String base = "http://127.0.0.1:" + started.getWebServer().getPort();
    log.info(
        """

        ------------------------------------------------------------------------------
         A simulated fabric runs: {} switches (SNMP) and {} hosts (exporters).
         Three faults set in within 15 seconds; the first verdicts come within a minute
         and are written here as they are found. Look also at

           {}/api/v1/links?state=DEGRADED
           {}/api/v1/incidents
           {}/metrics/fabric
        ------------------------------------------------------------------------------
        """,
        fabric.switches().size(),
        fabric.hosts().size(),
        base,
        base,
        base);
  }
}
