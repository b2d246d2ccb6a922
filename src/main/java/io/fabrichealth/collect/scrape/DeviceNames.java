package io.fabrichealth.collect.scrape;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.prometheus.PageReader;
import io.fabrichealth.topology.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names exporters: the device that each tells of, and the collector under which its readings go. A
 * name holds as long as the exporter is known.
 *
 * <p>The first exporter of a device goes under the collector's own name, a further one ({@code
 * dcgm-exporter} beside {@code node_exporter}) under that and its job: their counters are not to be
 * mixed. Hosts that all call themselves alike go by their instance.
 */
public final class DeviceNames {
  private static final byte[] UNAME = "node_uname_info".getBytes(US_ASCII);
  private static final byte[] NODE_NAME = "nodename".getBytes(US_ASCII);
  private static final String NOBODY = "localhost";
  private static final int LONGEST = 255;

  private final String collector;
  private final Pattern devicePattern;
  private final boolean hostNames;
  private final Role role;
  private final MetricMapping mapping;
  private final int uname;

  /** Jobs by device and collector. */
  private final Map<String, String> taken = new HashMap<>();

  /**
   * @param devicePattern its first group, where it is found in an instance, is the name of the
   *     device; an instance without it is the name as it is
   * @param hostNames whether a device is called as its host calls itself where that is known
   */
  public DeviceNames(
      String collector,
      Pattern devicePattern,
      boolean hostNames,
      Role role,
      MetricMapping mapping) {
    this.collector = collector;
    this.devicePattern = devicePattern;
    this.hostNames = hostNames;
    this.role = role;
    this.mapping = mapping;
    uname = mapping.find(UNAME, 0, UNAME.length);
  }

  /** Gives the exporter its name. */
  public PageReader name(Exporter exporter, OpenScrape scrape) {
    String job = exporter.job().isEmpty() ? collector : collector + "/" + exporter.job();
    String host = hostNames ? hostName(exporter, scrape) : "";
    String instance = ofInstance(exporter.instance());
    List<String> devices = host.isEmpty() ? List.of(instance) : List.of(host, instance);
    for (String device : devices) {
      String holder = taken.get(key(device, collector));
      if (holder == null) {
        return take(exporter, device, collector);
      }
      // Of one job a host has one exporter: another one is another host that says the same name.
      if (!holder.equals(exporter.job()) && !taken.containsKey(key(device, job))) {
        return take(exporter, device, job);
      }
    }
    // Job and instance together are the exporter's own.
    return take(exporter, instance, job + "/" + exporter.instance());
  }

  private PageReader take(Exporter exporter, String device, String under) {
    taken.put(key(device, under), exporter.job());
    PageReader reader = new PageReader(device, role, mapping, under);
    exporter.name(key(device, under), reader);
    return reader;
  }

  /** The exporter is forgotten. */
  public void release(Exporter exporter) {
    taken.remove(exporter.key());
  }

  private static String key(String device, String under) {
    return under + " " + device;
  }

  private String hostName(Exporter exporter, OpenScrape scrape) {
    if (isName(exporter.hostName())) {
      return exporter.hostName();
    }
    for (int sample = 0; sample < scrape.size(); sample++) {
      if (scrape.metric(sample) == uname) {
        String told = exporter.labels().value(scrape.labels(sample), NODE_NAME);
        return isName(told) ? told : "";
      }
    }
    return "";
  }

  private String ofInstance(String instance) {
    Matcher matcher = devicePattern.matcher(instance);
    String found = matcher.find() ? matcher.group(1) : null;
    return found != null && isName(found) ? found : instance;
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST
        && !text.startsWith(NOBODY)
        && text.chars().noneMatch(Character::isISOControl);
  }
}
