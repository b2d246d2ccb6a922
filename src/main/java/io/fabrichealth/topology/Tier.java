package io.fabrichealth.topology;

/** The layer of the fabric that a link joins. */
public enum Tier {
  HOST_LEAF("host-leaf"),
  LEAF_SPINE("leaf-spine"),
  SPINE_CORE("spine-core"),
  OTHER("other");

  private final String label;

  Tier(String label) {
    this.label = label;
  }

  /** The name in captures, answers and labels, for example {@code leaf-spine}. */
  public String label() {
    return label;
  }

  /** The tier between two roles, in either order. */
  public static Tier between(Role a, Role b) {
    if (pair(a, b, Role.HOST, Role.LEAF) || pair(a, b, Role.HOST, Role.SWITCH)) {
      return HOST_LEAF;
    }
    if (pair(a, b, Role.LEAF, Role.SPINE)) {
      return LEAF_SPINE;
    }
    return pair(a, b, Role.SPINE, Role.CORE) ? SPINE_CORE : OTHER;
  }

  private static boolean pair(Role a, Role b, Role first, Role second) {
    return (a == first && b == second) || (a == second && b == first);
  }
}
