package io.fabrichealth.collective.recorder;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a dump that mean something here (PyTorch's {@code FlightRecorderDetail.hpp}); all
 * others are passed over.
 */
public enum Field {
  RECORD_ID("record_id"),
  PG_ID("pg_id"),
  PROCESS_GROUP("process_group"),
  COLLECTIVE_SEQ_ID("collective_seq_id"),
  /** Before there was a number of its own for sends and receives. */
  SEQ_ID("seq_id"),
  P2P_SEQ_ID("p2p_seq_id"),
  OP_ID("op_id"),
  PROFILING_NAME("profiling_name"),
  TIME_CREATED_NS("time_created_ns"),
  TIME_DISCOVERED_STARTED_NS("time_discovered_started_ns"),
  TIME_DISCOVERED_COMPLETED_NS("time_discovered_completed_ns"),
  DURATION_MS("duration_ms"),
  INPUT_SIZES("input_sizes"),
  OUTPUT_SIZES("output_sizes"),
  INPUT_DTYPES("input_dtypes"),
  OUTPUT_DTYPES("output_dtypes"),
  STATE("state"),
  IS_P2P("is_p2p"),
  RETIRED("retired"),
  FRAMES("frames"),
  NAME("name"),
  FILENAME("filename"),
  LINE("line"),
  DESC("desc"),
  RANKS("ranks"),
  VERSION("version"),
  PG_CONFIG("pg_config"),
  PG_STATUS("pg_status"),
  ENTRIES("entries"),
  LAST_ENQUEUED("last_enqueued_collective"),
  LAST_STARTED("last_started_collective"),
  LAST_COMPLETED("last_completed_collective");

  private static final Map<String, Field> BY_KEY = byKey();

  private final String key;

  Field(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  /** Null where the key means nothing here. */
  public static @Nullable Field of(String key) {
    return BY_KEY.get(key);
  }

  private static Map<String, Field> byKey() {
    Map<String, Field> fields = new HashMap<>();
    for (Field field : values()) {
      fields.put(field.key, field);
    }
    return fields;
  }
}
