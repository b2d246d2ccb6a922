package io.fabrichealth.topology;

import java.util.HashMap;
import java.util.Map;

/** What is joined to what, directly or through others (disjoint sets). */
final class Groups {
  private final Map<String, String> parents = new HashMap<>();

  void join(String one, String other) {
    String first = of(one);
    String second = of(other);
    if (!first.equals(second)) {
      parents.put(second, first);
    }
  }

  /** One member of the group, the same for all of its members until another group joins it. */
  String of(String member) {
    String root = member;
    String parent = parents.putIfAbsent(root, root);
    while (parent != null && !parent.equals(root)) {
      root = parent;
      parent = parents.get(root);
    }
    String at = member;
    while (!at.equals(root)) {
      String next = parents.put(at, root);
      at = next == null ? root : next;
    }
    return root;
  }

  /** The first member of each group in natural order, by what {@link #of} says. */
  Map<String, String> smallest() {
    Map<String, String> smallest = new HashMap<>();
    for (String member : Map.copyOf(parents).keySet()) {
      smallest.merge(
          of(member),
          member,
          (one, other) -> NaturalOrder.INSTANCE.compare(one, other) <= 0 ? one : other);
    }
    return smallest;
  }
}
