package io.fabrichealth.collect.snmp;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/**
 * Reads one table of sensors of one device. What each sensor is (type, scale, port, lane) is
 * learned once and again when the sensors or the ports change; each pass then reads values and
 * status only.
 */
final class SensorReader {
  /** A port's own table knows better than a sensor that is found by its text. */
  private static final int RANK = 100;

  /** CISCO-ENTITY-SENSOR-MIB adds this type to those of RFC 3433. */
  private static final int DBM = 14;

  private static final String NOT_TEXT_OF_PORT = "[A-Za-z0-9]";

  private final SensorTable table;
  private final SnmpMapping mapping;
  private final int group;
  private final Map<Integer, Sensor> sensors = new HashMap<>();
  private int rows;
  private int known;
  private @Nullable PortTable ports;

  /**
   * @param group number of this source, not that of any other
   */
  SensorReader(SensorTable table, SnmpMapping mapping, int group) {
    this.table = table;
    this.mapping = mapping;
    this.group = group;
  }

  int group() {
    return group;
  }

  /** Whether the device has sensors here, as far as is known. */
  boolean hasRows() {
    return rows > 0;
  }

  /** Reads the values. */
  Walk walk(TableWalker walker, long deadline) throws InterruptedException {
    Walk walk =
        walker.walk(
            table.name(), List.of(column(table.value()), column(table.status())), rows, deadline);
    if (walk.complete()) {
      rows = walk.rows();
    }
    return walk;
  }

  /** Whether the sensors are others than those that are known, or belong to other ports. */
  boolean mustLearn(Walk walk, PortTable now) {
    return walk.rows() > 0 && (ports != now || known != walk.rows());
  }

  /** Finds out what each sensor is; the walk's problems are in it. */
  Walk learn(TableWalker walker, PhysicalEntities entities, PortTable now, long deadline)
      throws InterruptedException {
    Walk walk =
        walker.walk(
            table.name(),
            List.of(column(table.type()), column(table.scale()), column(table.precision())),
            rows,
            deadline);
    Column types = walk.get(column(table.type()));
    sensors.clear();
    Set<Measured> taken = new HashSet<>();
    for (int row = 0; row < types.size(); row++) {
      int entity = types.lastIndex(row);
      Sensor sensor = sensor(entity, row, walk, entities, now);
      // Some modules tell their temperature once for each lane: the first counts.
      if (sensor != null
          && (sensor.port() == null
              || taken.add(new Measured(sensor.port(), sensor.rule().signal(), sensor.lane())))) {
        sensors.put(entity, sensor);
      }
    }
    if (walk.complete() && entities.complete()) {
      known = types.size();
      ports = now;
    }
    return walk;
  }

  private @Nullable Sensor sensor(
      int entity, int row, Walk walk, PhysicalEntities entities, PortTable now) {
    int type = number(walk.get(column(table.type())).value(row), 0);
    List<String> texts = entities.texts(entity);
    Owner owner = owner(entity, texts, entities, now);
    for (SensorRule rule : mapping.sensorRules()) {
      if (rule.types().contains(type)
          && rule.ofPort() == (owner != null)
          && texts.stream().anyMatch(text -> rule.text().matcher(text).find())) {
        String port = owner == null ? null : owner.port;
        if (port != null && !now.isPort(port)) {
          return null;
        }
        int[] object = walk.get(column(table.type())).object(row);
        return new Sensor(
            rule,
            port,
            owner == null || !rule.ofLane() ? 0 : owner.lane,
            type,
            number(walk.get(column(table.scale())).valueAt(object, row), 0),
            number(walk.get(column(table.precision())).valueAt(object, row), 0));
      }
    }
    return null;
  }

  private record Measured(String port, int signal, int lane) {}

  /** The port and lane that a sensor is of. */
  private record Owner(String port, int lane) {}

  private @Nullable Owner owner(
      int entity, List<String> texts, PhysicalEntities entities, PortTable now) {
    List<Integer> path = entities.path(entity);
    for (String text : texts) {
      String name = longestName(text, now);
      if (name != null) {
        String after = text.substring(text.indexOf(name) + name.length());
        String port = now.byInterfaceName().getOrDefault(name, name);
        return new Owner(port, lane(after, path, entities));
      }
    }
    for (int container : path) {
      Integer ifIndex = entities.ifIndex(container);
      String port = ifIndex == null ? null : now.rowName(ifIndex);
      if (port != null) {
        String text = texts.isEmpty() ? "" : texts.getFirst();
        return new Owner(port, lane(text, path, entities));
      }
    }
    for (int container : path.subList(Math.min(1, path.size()), path.size())) {
      for (String text : entities.texts(container)) {
        String name = longestName(text, now);
        if (name != null) {
          String port = now.byInterfaceName().getOrDefault(name, name);
          return new Owner(port, lane(texts.isEmpty() ? "" : texts.getFirst(), path, entities));
        }
      }
    }
    return null;
  }

  private int lane(String after, List<Integer> path, PhysicalEntities entities) {
    for (LaneRule rule : mapping.laneRules()) {
      if (!rule.ofContainer()) {
        Matcher own = rule.text().matcher(after);
        if (own.find()) {
          return laneNumber(own, rule);
        }
      } else if (path.size() > 1) {
        for (String text : entities.texts(path.get(1))) {
          Matcher container = rule.text().matcher(text);
          if (container.find()) {
            return laneNumber(container, rule);
          }
        }
      }
    }
    return 0;
  }

  private static int laneNumber(Matcher found, LaneRule rule) {
    String digits = found.group(1);
    return digits.length() > 3 ? 0 : Math.max(0, Integer.parseInt(digits) - rule.first());
  }

  /** The longest name of an interface that stands in the text as a word of its own. */
  private @Nullable String longestName(String text, PortTable now) {
    String longest = null;
    for (String name : now.byInterfaceName().keySet()) {
      if ((longest == null || name.length() > longest.length()) && standsIn(text, name)) {
        longest = name;
      }
    }
    return longest;
  }

  private boolean standsIn(String text, String name) {
    int at = name.length() < 2 ? -1 : text.indexOf(name);
    if (at < 0) {
      return false;
    }
    String before = text.substring(Math.max(0, at - 1), at);
    String after = text.substring(at + name.length());
    if (before.matches(NOT_TEXT_OF_PORT) || after.matches(NOT_TEXT_OF_PORT + ".*")) {
      return false;
    }
    // Ethernet1 does not stand in "Ethernet1/25 ...", but does in "... Ethernet1/2" as its lane 2.
    return !after.matches("[/:.]\\d.*")
        || mapping.laneRules().stream()
            .anyMatch(rule -> !rule.ofContainer() && rule.text().matcher(after).matches());
  }

  /** Writes what was read; the hottest sensor without a port is the device's temperature. */
  void write(Walk walk, PassReadings pass) {
    Column values = walk.get(column(table.value()));
    Column states = walk.get(column(table.status()));
    Map<Integer, Double> ofDevice = new HashMap<>();
    for (int row = 0; row < values.size(); row++) {
      Sensor sensor = sensors.get(values.lastIndex(row));
      Variable value = values.value(row);
      if (sensor == null || !(value instanceof Integer32)) {
        continue;
      }
      int status = number(states.valueAt(values.object(row), row), 1);
      SensorValue read = SensorValue.of(value.toLong(), sensor.scale(), sensor.precision(), status);
      SensorRule rule = sensor.rule();
      if (rule.dbm()) {
        read = read.toDbm(sensor.type() == DBM, table.zeroDbm());
      }
      if (sensor.port() != null) {
        write(sensor.port(), sensor, read, pass);
      } else if (read.reason() == null) {
        ofDevice.merge(rule.signal(), read.number() * rule.scale(), Math::max);
      }
    }
    ofDevice.forEach(
        (signal, value) -> {
          int device = pass.port(PollBatch.DEVICE);
          if (pass.accepts(device, signal, group, RANK, false)) {
            pass.batch().value(device, signal, 0, value);
          }
        });
  }

  private void write(String name, Sensor sensor, SensorValue read, PassReadings pass) {
    int port = pass.port(name);
    SensorRule rule = sensor.rule();
    if (!pass.accepts(port, rule.signal(), group, RANK, false)) {
      return;
    }
    if (read.reason() == null) {
      double value = read.number() * rule.scale();
      pass.batch().value(port, rule.signal(), sensor.lane(), value);
    } else {
      pass.batch().absent(port, rule.signal(), sensor.lane(), Quality.UNREADABLE, read.reason());
    }
  }

  private OID column(int number) {
    return new OID(table.entry()).append(number);
  }

  private static int number(@Nullable Variable value, int otherwise) {
    return Numbers.isInteger(value) ? (int) Numbers.unsigned(value) : otherwise;
  }
}
