package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A SONiC switch: its Redis databases, with the virtual paths of sonic-gnmi for counters by port
 * ({@code COUNTERS/Ethernet*}, {@code .../Queues}, {@code .../Pfcwd}, {@code RATES/Ethernet*}). One
 * JSON document answers each path.
 */
final class SonicDatabases implements DeviceContent {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String COUNTERS = "COUNTERS_DB";

  private final Map<String, ObjectNode> databases = new TreeMap<>();

  /** Adds a dump, as redis-dump makes it: keys to hashes. */
  SonicDatabases add(String database, byte[] dump) {
    ObjectNode known = databases.computeIfAbsent(database, name -> JSON.createObjectNode());
    JSON.readTree(dump).properties().forEach(row -> known.set(row.getKey(), row.getValue()));
    return this;
  }

  /** Sets one field. */
  synchronized SonicDatabases set(String database, String key, String field, String value) {
    ObjectNode rows = databases.computeIfAbsent(database, name -> JSON.createObjectNode());
    ObjectNode row = rows.get(key) instanceof ObjectNode known ? known : rows.putObject(key);
    row.put(field, value);
    return this;
  }

  @Override
  public synchronized List<Update> read(Path prefix, Path path) {
    ObjectNode database = databases.get(prefix.getTarget());
    if (database == null) {
      throw Status.INVALID_ARGUMENT
          .withDescription("invalid gnmi target " + prefix.getTarget())
          .asRuntimeException();
    }
    List<String> names = new ArrayList<>();
    path.getElemList().forEach(elem -> names.add(elem.getName()));
    ObjectNode document =
        prefix.getTarget().equals(COUNTERS) && names.size() > 1
            ? virtual(database, names)
            : table(database, names);
    if (document.isEmpty()) {
      return List.of();
    }
    ByteString json = ByteString.copyFrom(JSON.writeValueAsBytes(document));
    return List.of(
        Update.newBuilder()
            .setPath(path)
            .setVal(TypedValue.newBuilder().setJsonIetfVal(json))
            .build());
  }

  private static ObjectNode virtual(ObjectNode database, List<String> names) {
    String table = names.get(0);
    String asked = names.get(1);
    boolean all = asked.endsWith("*");
    boolean parts =
        names.size() > 2 && (names.get(2).equals("Queues") || names.get(2).equals("Pfcwd"));
    ObjectNode document = JSON.createObjectNode();
    row(database, parts ? "COUNTERS_QUEUE_NAME_MAP" : "COUNTERS_PORT_NAME_MAP")
        .properties()
        .forEach(
            entry -> {
              String name = entry.getKey();
              String port = parts ? name.substring(0, name.lastIndexOf(':')) : name;
              if (all
                  ? port.startsWith(asked.substring(0, asked.length() - 1))
                  : port.equals(asked)) {
                ObjectNode values = row(database, table + ":" + entry.getValue().asString());
                if (!all && !parts) {
                  document.setAll(values);
                } else {
                  document.set(name, values);
                }
              }
            });
    return document;
  }

  private static ObjectNode row(ObjectNode database, String key) {
    return database.get(key) instanceof ObjectNode row ? row : JSON.createObjectNode();
  }

  /** A hash of that name, or all whose names begin with it. */
  private static ObjectNode table(ObjectNode database, List<String> names) {
    if (database.get(names.getFirst()) instanceof ObjectNode row) {
      return row;
    }
    ObjectNode document = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> row : database.properties()) {
      String separator = row.getKey().contains("|") ? "|" : ":";
      String start = names.getFirst() + separator;
      if (row.getKey().startsWith(start)) {
        document.set(row.getKey().substring(start.length()), row.getValue());
      }
    }
    return document;
  }
}
