package io.fabrichealth.runtime;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings as they are written. What is absent is null or its default.
 *
 * @param dataDir Where the service keeps its own files; relative to the working directory.
 * @param topology File with the planned devices, ports and links; relative to the file that names
 *     it.
 * @param thresholds File with the site's own values for some of the thresholds of detection;
 *     relative to the file that names it.
 */
@ConfigurationProperties("fabric-health")
record SettingsProperties(
    @DefaultValue("./data") String dataDir,
    @Nullable String topology,
    @Nullable String thresholds,
    @DefaultValue Journal journal,
    @DefaultValue Jobs jobs,
    @DefaultValue Notifications notifications,
    @DefaultValue Collect collect) {

  /**
   * Who is told of incidents.
   *
   * @param webhooks Servers that understand the service's own body.
   * @param alertmanagers Prometheus Alertmanagers.
   */
  record Notifications(
      @DefaultValue @Nullable List<WebhookEntry> webhooks,
      @DefaultValue @Nullable List<AlertmanagerEntry> alertmanagers) {}

  /**
   * A server that is told of each event, signed.
   *
   * @param name Unique among all that are told.
   * @param url Where it is posted to, http or https; redirects are not followed.
   * @param secret Secret with which bodies are signed.
   * @param secretFile File that holds the secret.
   * @param timeout For one attempt, 100ms to 1h; 10s where absent.
   * @param allowPrivate true where its address may be a loopback, link-local or private one.
   */
  record WebhookEntry(
      @Nullable String name,
      @Nullable String url,
      @Nullable String secret,
      @Nullable String secretFile,
      @Nullable Duration timeout,
      @Nullable Boolean allowPrivate) {
    @Override
    public String toString() {
      return "WebhookEntry[" + name + "]";
    }
  }

  /**
   * An Alertmanager.
   *
   * @param name Unique among all that are told.
   * @param url Its address without /api/v2/alerts, http or https; redirects are not followed.
   * @param bearerToken Secret.
   * @param bearerTokenFile File that holds the bearer token.
   * @param timeout For one attempt, 100ms to 1h; 10s where absent.
   * @param allowPrivate true where its address may be a loopback, link-local or private one.
   */
  record AlertmanagerEntry(
      @Nullable String name,
      @Nullable String url,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      @Nullable Basic basic,
      @Nullable Duration timeout,
      @Nullable Boolean allowPrivate) {
    @Override
    public String toString() {
      return "AlertmanagerEntry[" + name + "]";
    }
  }

  /**
   * Incidents that wait on disk while the database is away.
   *
   * @param maxBytes Room that they may take; what finds none waits in memory.
   */
  record Journal(@DefaultValue("64MB") @Nullable DataSize maxBytes) {}

  /**
   * What jobs leave behind, as it is sent in.
   *
   * @param maxUpload Largest upload, as it is sent, 1KB to 1024GB; a larger one is answered with
   *     413.
   * @param maxUnpacked Of an upload, unpacked, 1KB to 1024GB; what is over it is not read, and the
   *     answer says so.
   * @param maxKeptEntries Entries of flight recorders and operations of Inspectors that stay in
   *     memory, so that later uploads of a job are judged together with earlier ones; the jobs
   *     longest unheard of go first. 0 to 1000000000.
   * @param watch Directory that is looked through for dumps and logs, with a directory a job; a
   *     file that lies in it directly is of the job of its name. Relative to the file that names
   *     it; absent, nothing is looked for.
   * @param watchInterval Time between two looks, 100ms to 1h.
   * @param watchSettled Time for which a file there has not changed when it is read, 100ms to 1h.
   */
  record Jobs(
      @DefaultValue("1GB") @Nullable DataSize maxUpload,
      @DefaultValue("16GB") @Nullable DataSize maxUnpacked,
      @DefaultValue("5000000") @Nullable Integer maxKeptEntries,
      @Nullable String watch,
      @DefaultValue("10s") @Nullable Duration watchInterval,
      @DefaultValue("30s") @Nullable Duration watchSettled) {}

  /**
   * What is read.
   *
   * @param maxReadingsPerDevice Readings that one pass over a device may bring, 100 or more; what
   *     is over it is left out, the least telling signals first.
   * @param targetsFile JSON file with more targets; relative to the file that names it.
   */
  record Collect(
      @DefaultValue Snmp snmp,
      @DefaultValue Prometheus prometheus,
      @DefaultValue Gnmi gnmi,
      @DefaultValue Infiniband infiniband,
      @DefaultValue PrometheusQuery prometheusQuery,
      @DefaultValue TorchDebug torchDebug,
      @DefaultValue("500000") @Nullable Integer maxReadingsPerDevice,
      @Nullable String targetsFile) {}

  /**
   * Switches that are read over SNMP.
   *
   * @param interval Time between two passes over a switch, 100ms to 1h.
   * @param timeout For one request; 2s where absent, and never longer than the interval.
   * @param targets The switches.
   */
  record Snmp(
      @DefaultValue("10s") @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable V2c v2c,
      @Nullable V3 v3,
      @DefaultValue @Nullable List<SnmpEntry> targets,
      @DefaultValue @Nullable List<FileSd> fileSd,
      @DefaultValue @Nullable List<HttpSd> httpSd) {}

  /**
   * Files that list targets, as Prometheus has them.
   *
   * @param files Their paths; * and ? in the name of a file stand for parts of it.
   */
  record FileSd(@DefaultValue @Nullable List<String> files) {}

  /**
   * A server that lists targets, as Prometheus has them.
   *
   * @param url That answers with the list, http or https.
   * @param refreshInterval Time between two requests, 1s to 24h.
   * @param timeout For one request, 100ms to 1h.
   * @param maxBytes Largest answer after decompression, 1KB to 1GB.
   * @param bearerToken Secret.
   * @param bearerTokenFile File that holds the bearer token.
   * @param caFile PEM file of the authority to trust.
   */
  record HttpSd(
      @Nullable String url,
      @DefaultValue("1m") @Nullable Duration refreshInterval,
      @DefaultValue("10s") @Nullable Duration timeout,
      @DefaultValue("16MB") @Nullable DataSize maxBytes,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      @Nullable Basic basic,
      @Nullable String caFile) {
    @Override
    public String toString() {
      return "HttpSd[***]";
    }
  }

  /**
   * A switch.
   *
   * @param device Name of the device, unique among these targets.
   * @param role host, leaf, spine, core or switch; switch where absent.
   * @param address Name or address of its management interface.
   * @param port UDP port; 161 where absent.
   * @param interval Overrides the interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   */
  record SnmpEntry(
      @Nullable String device,
      @Nullable String role,
      @Nullable String address,
      @Nullable Integer port,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable V2c v2c,
      @Nullable V3 v3) {}

  /**
   * SNMP v2c; not used where v3 stands beside it.
   *
   * @param community Secret.
   * @param communityFile File that holds the community.
   */
  record V2c(@Nullable String community, @Nullable String communityFile) {
    @Override
    public String toString() {
      return "V2c[***]";
    }
  }

  /**
   * SNMP v3 with authentication and privacy.
   *
   * @param user Name of the user.
   * @param authProtocol MD5, SHA, SHA224, SHA256, SHA384 or SHA512; SHA where absent.
   * @param authPassword Secret of 8 characters or more.
   * @param authPasswordFile File that holds the authentication password.
   * @param privProtocol DES, AES, AES192 or AES256; AES where absent.
   * @param privPassword Secret of 8 characters or more.
   * @param privPasswordFile File that holds the privacy password.
   * @param level authPriv, the only one that is spoken.
   */
  record V3(
      @Nullable String user,
      @Nullable String authProtocol,
      @Nullable String authPassword,
      @Nullable String authPasswordFile,
      @Nullable String privProtocol,
      @Nullable String privPassword,
      @Nullable String privPasswordFile,
      @Nullable String level) {
    @Override
    public String toString() {
      return "V3[" + user + "]";
    }
  }

  /**
   * Exporters that are scraped over HTTP.
   *
   * @param interval Time between two scrapes of an exporter, 100ms to 1h.
   * @param timeout For one scrape; 5s where absent, and never longer than the interval.
   * @param maxBytes Largest answer after decompression, 1KB to 1GB.
   * @param bearerToken Secret; for exporters that name no way to sign in.
   * @param bearerTokenFile File that holds the bearer token.
   * @param caFile PEM file of the authority to trust, for exporters that name none.
   * @param targets The exporters.
   */
  record Prometheus(
      @DefaultValue("10s") @Nullable Duration interval,
      @Nullable Duration timeout,
      @DefaultValue("32MB") @Nullable DataSize maxBytes,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      @Nullable Basic basic,
      @Nullable String caFile,
      @DefaultValue @Nullable List<PrometheusEntry> targets,
      @DefaultValue @Nullable List<FileSd> fileSd,
      @DefaultValue @Nullable List<HttpSd> httpSd) {
    @Override
    public String toString() {
      return "Prometheus[" + targets + "]";
    }
  }

  /**
   * An exporter.
   *
   * @param device Name of the device, unique among these targets.
   * @param role host, leaf, spine, core or switch; host where absent.
   * @param url Where it is scraped, http or https.
   * @param interval Overrides the interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   * @param maxBytes Overrides the largest answer of the collector.
   * @param bearerToken Secret.
   * @param bearerTokenFile File that holds the bearer token.
   * @param caFile PEM file of the authority to trust.
   */
  record PrometheusEntry(
      @Nullable String device,
      @Nullable String role,
      @Nullable String url,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable DataSize maxBytes,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      @Nullable Basic basic,
      @Nullable String caFile) {
    @Override
    public String toString() {
      return "PrometheusEntry[" + device + "]";
    }
  }

  /**
   * HTTP basic authentication.
   *
   * @param user Name of the user.
   * @param password Secret.
   * @param passwordFile File that holds the password.
   */
  record Basic(@Nullable String user, @Nullable String password, @Nullable String passwordFile) {
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  /**
   * Switches that are subscribed to over gNMI.
   *
   * @param interval At which counters are sampled, 100ms to 1h.
   * @param timeout For the connection and the first answer, 100ms to 1h.
   * @param profile Which paths they have, where they do not say.
   * @param tls For switches that name no bundle: one under spring.ssl.bundle.pem, or system.
   * @param user For switches that name none.
   * @param password Secret.
   * @param passwordFile File that holds the password.
   * @param targets The switches.
   */
  record Gnmi(
      @DefaultValue("10s") @Nullable Duration interval,
      @DefaultValue("10s") @Nullable Duration timeout,
      @DefaultValue("openconfig") @Nullable String profile,
      @Nullable String tls,
      @Nullable String user,
      @Nullable String password,
      @Nullable String passwordFile,
      @DefaultValue @Nullable List<GnmiEntry> targets,
      @DefaultValue @Nullable List<FileSd> fileSd,
      @DefaultValue @Nullable List<HttpSd> httpSd) {
    @Override
    public String toString() {
      return "Gnmi[" + targets + "]";
    }
  }

  /**
   * A switch that is subscribed to.
   *
   * @param device Name of the device, unique among these targets.
   * @param role host, leaf, spine, core or switch; switch where absent.
   * @param address Name or address of its management interface.
   * @param port TCP port; 9339 where absent.
   * @param profile Overrides the profile of the collector.
   * @param interval Overrides the interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   * @param tls Name of a bundle under spring.ssl.bundle.pem, or system for the authorities of the
   *     system; that of the collector where absent, and no encryption where that is absent too.
   * @param serverName Name that the certificate of the device must hold; the address where absent.
   * @param user Name of the user, sent with every call.
   * @param password Secret.
   * @param passwordFile File that holds the password.
   */
  record GnmiEntry(
      @Nullable String device,
      @Nullable String role,
      @Nullable String address,
      @Nullable Integer port,
      @Nullable String profile,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable String tls,
      @Nullable String serverName,
      @Nullable String user,
      @Nullable String password,
      @Nullable String passwordFile) {
    @Override
    public String toString() {
      return "GnmiEntry[" + device + "]";
    }
  }

  /**
   * InfiniBand subnets that are read by the tools of infiniband-diags.
   *
   * @param interval Time between two readings of counters, 100ms to 1h.
   * @param topologyInterval Time between two discoveries of the wiring, 100ms to 24h.
   * @param timeout For one run of a tool; 20s where absent, and never longer than the interval.
   * @param targets The subnets.
   */
  record Infiniband(
      @DefaultValue("30s") @Nullable Duration interval,
      @DefaultValue("5m") @Nullable Duration topologyInterval,
      @Nullable Duration timeout,
      @DefaultValue @Nullable List<InfinibandEntry> targets) {}

  /**
   * A subnet. Where it has no {@code saved}, the tools are run here.
   *
   * @param name Of the subnet, unique among these targets.
   * @param interval Overrides the interval of the collector.
   * @param topologyInterval Overrides the topology interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   */
  record InfinibandEntry(
      @Nullable String name,
      @Nullable Duration interval,
      @Nullable Duration topologyInterval,
      @Nullable Duration timeout,
      @Nullable Tools tools,
      @Nullable Saved saved) {}

  /**
   * How the tools are run.
   *
   * @param command Words before the name of the tool, such as [sudo, -n] or [ssh, ufm-1].
   * @param ca Name of the HCA (-C); the first where absent.
   * @param caPort Its port (-P); the first where absent.
   */
  record Tools(
      @DefaultValue @Nullable List<String> command,
      @Nullable String ca,
      @Nullable Integer caPort) {}

  /**
   * Output of the tools that something else saves.
   *
   * @param discover File with the output of ibnetdiscover, full or -p.
   * @param counters Files with the output of perfquery -x or ibqueryerrors; * and ? stand for parts
   *     of a name.
   */
  record Saved(@Nullable String discover, @DefaultValue @Nullable List<String> counters) {}

  /**
   * Time-series databases that hold what exporters said, and speak the query API of Prometheus.
   *
   * @param interval Time between two passes, 100ms to 1h.
   * @param timeout For one query; 5s where absent, and never longer than the interval.
   * @param targets The databases.
   */
  record PrometheusQuery(
      @DefaultValue("15s") @Nullable Duration interval,
      @Nullable Duration timeout,
      @DefaultValue @Nullable List<QueryEntry> targets) {}

  /**
   * A database.
   *
   * @param name Of the target, unique among these targets.
   * @param url Of the API without /api/v1/query, http or https.
   * @param match Labels that series must have, each as label=value.
   * @param deviceLabel Label that tells exporters apart; instance where absent.
   * @param devicePattern Regular expression whose first group, in the value of that label, is the
   *     name of the device; what stands before the port where absent.
   * @param role Of the devices: host, leaf, spine, core or switch; host where absent.
   * @param interval Overrides the interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   * @param bearerToken Secret.
   * @param bearerTokenFile File that holds the bearer token.
   * @param caFile PEM file of the authority to trust.
   */
  record QueryEntry(
      @Nullable String name,
      @Nullable String url,
      @DefaultValue @Nullable List<String> match,
      @Nullable String deviceLabel,
      @Nullable String devicePattern,
      @Nullable String role,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable String bearerToken,
      @Nullable String bearerTokenFile,
      @Nullable Basic basic,
      @Nullable String caFile) {
    @Override
    public String toString() {
      return "QueryEntry[" + name + "]";
    }
  }

  /**
   * Running jobs whose ranks answer by PyTorch's debug server.
   *
   * @param interval Time between two pulls of a job, 100ms to 1h; a standstill is told by the
   *     second pull that sees it.
   * @param timeout For one answer of a rank; 3s where absent, and never longer than the interval.
   * @param maxBytes Largest answer of a rank, 1KB to 1GB.
   * @param parallel Ranks of a job that are asked at once, 1 to 256.
   * @param backends Whose recorders are asked for; nccl and gloo where absent.
   * @param jobs The jobs.
   */
  record TorchDebug(
      @DefaultValue("10s") @Nullable Duration interval,
      @Nullable Duration timeout,
      @DefaultValue("32MB") @Nullable DataSize maxBytes,
      @DefaultValue("32") @Nullable Integer parallel,
      @DefaultValue @Nullable List<String> backends,
      @DefaultValue @Nullable List<TorchDebugEntry> jobs) {}

  /**
   * A job: a roster with a port, or a list of workers; with both, the roster tells the hosts only.
   *
   * @param name Of the job, unique among these.
   * @param roster File that tells which rank runs where: a capture's job record, kubectl get pods
   *     -o json, scontrol show job, or a Slurm hostlist.
   * @param ranksPerHost Where the roster names hosts only; 1 to 1024.
   * @param portBase Port of the first rank on each host (worker_port); the others follow. 26000
   *     where absent.
   * @param interval Overrides the interval of the collector.
   * @param timeout Overrides the timeout of the collector.
   * @param maxBytes Overrides the largest answer of the collector.
   * @param backends Overrides the backends of the collector.
   * @param workers Where each rank listens.
   */
  record TorchDebugEntry(
      @Nullable String name,
      @Nullable String roster,
      @Nullable Integer ranksPerHost,
      @Nullable Integer portBase,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable DataSize maxBytes,
      @DefaultValue @Nullable List<String> backends,
      @DefaultValue @Nullable List<WorkerEntry> workers) {}

  /**
   * A rank.
   *
   * @param rank The global rank, from 0.
   * @param url Of its worker server, without /handler/; http or https.
   */
  record WorkerEntry(@Nullable Integer rank, @Nullable String url) {}
}
