package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.Operation;
import io.fabrichealth.collective.ProcessGroup;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the dumps of a job have in common is kept once: a thousand ranks call the same operations in
 * the same groups. For several threads; as large as the distinct values, up to a bound after which
 * each rank keeps its own.
 */
public final class RecorderValues {
  private static final int MOST = 200_000;

  private final ConcurrentHashMap<Object, Object> values = new ConcurrentHashMap<>();

  Operation shared(Operation operation) {
    return (Operation) once(operation);
  }

  ProcessGroup shared(ProcessGroup group) {
    return (ProcessGroup) once(group);
  }

  String shared(String text) {
    return (String) once(text);
  }

  @SuppressWarnings("unchecked") // equal values are of the same type
  List<String> shared(List<String> stack) {
    return (List<String>) once(stack);
  }

  private Object once(Object value) {
    Object known = values.get(value);
    if (known != null) {
      return known;
    }
    if (values.size() >= MOST) {
      return value;
    }
    Object other = values.putIfAbsent(value, value);
    return other == null ? value : other;
  }
}
