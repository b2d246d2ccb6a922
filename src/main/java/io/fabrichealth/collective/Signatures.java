package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has to be the same on all members of a group that meet in an operation: its name, the types,
 * and the number of elements where the operation demands it. Shapes may differ, and so may the
 * sizes of an all_to_all or of a gather.
 */
final class Signatures {

  /**
   * One of them.
   *
   * @param elements of each tensor; empty where they may differ
   */
  record Signature(String name, List<String> types, List<Long> elements) {
    /** For people: {@code all_reduce of Float [4096]}. */
    String label() {
      StringBuilder text = new StringBuilder(name);
      if (!types.isEmpty()) {
        text.append(" of ").append(String.join(", ", types.stream().distinct().toList()));
      }
      if (!elements.isEmpty()) {
        text.append(' ').append(elements);
      }
      return text.toString();
    }
  }

  /** Characters of the names of operations under one number; what goes beyond is not compared. */
  private static final int LONGEST = 2048;

  private final Map<Signature, Integer> numbers = new HashMap<>();
  private final List<Signature> known = new ArrayList<>();
  private final Map<FlightRecorder, int[]> ofRecorder = new IdentityHashMap<>();

  /** The number of an entry's signature; equal numbers are equal signatures, over all ranks. */
  int of(FlightRecorder recorder, int entry) {
    return all(recorder)[recorder.operationIndex(entry)];
  }

  /** Those of all operations of a recorder. */
  int[] all(FlightRecorder recorder) {
    return ofRecorder.computeIfAbsent(recorder, this::read);
  }

  Signature signature(int number) {
    return known.get(number);
  }

  /** The number of what two operations are that share one number in their group. */
  int together(int one, int other) {
    Signature first = known.get(one);
    Signature second = known.get(other);
    if (first.name().length() > LONGEST) {
      return one;
    }
    List<String> types = new ArrayList<>(first.types());
    types.addAll(second.types());
    List<Long> elements = new ArrayList<>(first.elements());
    elements.addAll(second.elements());
    return number(new Signature(first.name() + " + " + second.name(), distinct(types), elements));
  }

  private int[] read(FlightRecorder recorder) {
    int[] read = new int[recorder.operations().size()];
    for (int at = 0; at < read.length; at++) {
      read[at] = number(of(recorder.operations().get(at)));
    }
    return read;
  }

  private int number(Signature signature) {
    return numbers.computeIfAbsent(
        signature,
        added -> {
          known.add(added);
          return known.size() - 1;
        });
  }

  static Signature of(Operation operation) {
    String name = operation.name();
    List<String> types =
        operation.inputTypes().isEmpty() || isScatter(name)
            ? operation.outputTypes()
            : operation.inputTypes();
    return new Signature(name, distinct(types), elements(operation));
  }

  /** One type however many tensors there are: a list of tensors may be recorded as one. */
  private static List<String> distinct(List<String> types) {
    return types.stream().distinct().toList();
  }

  private static List<Long> elements(Operation operation) {
    String name = operation.name();
    if (name.contains("all_to_all") || name.contains("alltoall") || isGather(name)) {
      return List.of();
    }
    if (isScatter(name)) {
      return List.of();
    }
    if (name.contains("all_gather") || name.contains("allgather")) {
      return total(operation.outputSizes());
    }
    if (name.contains("reduce_scatter")) {
      return total(operation.inputSizes());
    }
    return operation.inputSizes().stream().map(Signatures::product).toList();
  }

  private static boolean isGather(String name) {
    return name.equals("gather");
  }

  private static boolean isScatter(String name) {
    return name.equals("scatter");
  }

  private static List<Long> total(List<List<Long>> sizes) {
    return sizes.isEmpty()
        ? List.of()
        : List.of(sizes.stream().mapToLong(Signatures::product).sum());
  }

  private static long product(List<Long> size) {
    long product = 1;
    for (long dimension : size) {
      product *= dimension;
    }
    return product;
  }

  /**
   * Whether nobody can have finished before everybody has come. A broadcast's root, or a sender,
   * may.
   */
  static boolean needsEverybody(Operation operation) {
    String name = operation.name();
    return name.contains("all_reduce")
        || name.contains("allreduce")
        || name.contains("all_gather")
        || name.contains("allgather")
        || name.contains("reduce_scatter")
        || name.contains("all_to_all")
        || name.contains("alltoall")
        || name.equals("barrier");
  }
}
