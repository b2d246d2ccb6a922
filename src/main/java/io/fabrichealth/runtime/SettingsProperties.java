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
 */
@ConfigurationProperties("fabric-health")
record SettingsProperties(
    @DefaultValue("./data") String dataDir,
    @Nullable String topology,
    @DefaultValue Journal journal,
    @DefaultValue Collect collect) {

  /**
   * Incidents that wait on disk while the database is away.
   *
   * @param maxBytes Room that they may take; what finds none waits in memory.
   */
  record Journal(@DefaultValue("64MB") @Nullable DataSize maxBytes) {}

  /**
   * What is read.
   *
   * @param targetsFile JSON file with more targets; relative to the file that names it.
   */
  record Collect(
      @DefaultValue Snmp snmp, @DefaultValue Prometheus prometheus, @Nullable String targetsFile) {}

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
      @DefaultValue @Nullable List<SnmpEntry> targets) {}

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
   * @param targets The exporters.
   */
  record Prometheus(
      @DefaultValue("10s") @Nullable Duration interval,
      @Nullable Duration timeout,
      @DefaultValue("32MB") @Nullable DataSize maxBytes,
      @DefaultValue @Nullable List<PrometheusEntry> targets) {}

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
}
