package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.gnmi.PathPattern.Elem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in the tree of all paths that are mapped. The tree is made once for each profile and
 * never changes, but for what names were found to mean.
 */
final class PathNode {
  static final int NONE = -1;
  private static final int MOST_REMEMBERED = 10_000;

  /** A name as its variables read it. */
  record Bound(PathNode node, @Nullable String port, @Nullable String component, int element) {}

  /** Children whose names are not fixed. */
  private record NameRule(Pattern names, List<Variable> variables, PathNode node) {}

  private final Map<String, PathNode> children = new HashMap<>();
  private final List<NameRule> rules = new ArrayList<>();
  private final String name;
  private String[] keyNames = new String[0];
  private Variable[] keyVariables = new Variable[0];
  private int leaf = NONE;
  private int element = NONE;

  PathNode(String name) {
    this.name = name;
  }

  /** Its own name; as it is written where it holds variables. */
  String name() {
    return name;
  }

  /** The leaf that ends here; {@link #NONE} where none does. */
  int leaf() {
    return leaf;
  }

  /** The element that the node's name itself says; {@link #NONE} where it says none. */
  int element() {
    return element;
  }

  int keys() {
    return keyNames.length;
  }

  String keyName(int key) {
    return keyNames[key];
  }

  Variable keyVariable(int key) {
    return keyVariables[key];
  }

  /** The child of that fixed name; a module's name before a colon does not matter. */
  @Nullable PathNode child(String name) {
    PathNode child = children.get(name);
    if (child == null) {
      int colon = name.indexOf(':');
      if (colon >= 0) {
        child = children.get(name.substring(colon + 1));
      }
    }
    return child;
  }

  boolean hasNameRules() {
    return !rules.isEmpty();
  }

  /** The child whose variable name fits; null where none does, or where its number is too high. */
  @Nullable Bound bound(String name) {
    for (NameRule rule : rules) {
      Matcher matcher = rule.names.matcher(name);
      if (matcher.matches()) {
        String port = null;
        String component = null;
        int number = NONE;
        for (int group = 0; group < rule.variables.size(); group++) {
          String text = matcher.group(group + 1);
          switch (rule.variables.get(group)) {
            case PORT -> port = text;
            case COMPONENT -> component = text;
            case LANE, PRIORITY, QUEUE, BIN -> {
              number = Integer.parseInt(text);
              if (number >= rule.variables.get(group).elements()) {
                return null;
              }
            }
            case NEIGHBOUR, ANY -> {}
          }
        }
        return new Bound(rule.node, port, component, number);
      }
    }
    return null;
  }

  /** Remembers what names mean, up to a number of them. */
  static final class Names {
    private final Map<PathNode, Map<String, Bound>> known = new HashMap<>();
    private int size;

    @Nullable Bound of(PathNode node, String name) {
      Map<String, Bound> names = known.get(node);
      Bound bound = names == null ? null : names.get(name);
      if (bound == null) {
        bound = node.bound(name);
        if (bound != null && size < MOST_REMEMBERED) {
          known.computeIfAbsent(node, n -> new HashMap<>()).put(name, bound);
          size++;
        }
      }
      return bound;
    }
  }

  /** Marks the leaves at and below this node. */
  void collectLeaves(BitSet into) {
    if (leaf != NONE) {
      into.set(leaf);
    }
    children.values().forEach(child -> child.collectLeaves(into));
    rules.forEach(rule -> rule.node.collectLeaves(into));
  }

  /**
   * Adds a path.
   *
   * @param first number of the first element where names count them
   * @return the leaf that ends there already; else the given one
   * @throws IllegalArgumentException where it does not go together with the others
   */
  int add(PathPattern pattern, int at, int first, int newLeaf) {
    if (at == pattern.elems().size()) {
      if (leaf == NONE) {
        leaf = newLeaf;
      }
      return leaf;
    }
    Elem elem = pattern.elems().get(at);
    List<Variable> variables = elem.variables();
    if (variables.isEmpty()) {
      PathNode child = children.computeIfAbsent(elem.name(), PathNode::new);
      child.addKeys(elem);
      return child.add(pattern, at + 1, first, newLeaf);
    }
    if (variables.size() == 1 && variables.getFirst().numbersElements()) {
      int given = newLeaf;
      for (int number = 0; number < variables.getFirst().elements(); number++) {
        String name = elem.numbered(number + first);
        PathNode child = children.computeIfAbsent(name, PathNode::new);
        child.element = number;
        given = child.add(pattern, at + 1, first, given);
      }
      return given;
    }
    return rule(elem, variables).add(pattern, at + 1, first, newLeaf);
  }

  private PathNode rule(Elem elem, List<Variable> variables) {
    Pattern names = elem.names();
    for (NameRule rule : rules) {
      if (rule.names.pattern().equals(names.pattern()) && rule.variables.equals(variables)) {
        return rule.node;
      }
    }
    PathNode node = new PathNode(elem.name());
    // The one that asks for more comes first: {port}:{queue} before {port}.
    int at = 0;
    while (at < rules.size() && rules.get(at).variables.size() >= variables.size()) {
      at++;
    }
    rules.add(at, new NameRule(names, variables, node));
    return node;
  }

  private void addKeys(Elem elem) {
    if (elem.keys().isEmpty()) {
      return;
    }
    String[] names = elem.keys().keySet().toArray(String[]::new);
    Variable[] variables = elem.keys().values().toArray(Variable[]::new);
    if (keyNames.length > 0
        && !(List.of(keyNames).equals(List.of(names))
            && List.of(keyVariables).equals(List.of(variables)))) {
      throw new IllegalArgumentException(
          "the keys of '" + elem.name() + "' are not those of another path: " + List.of(keyNames));
    }
    keyNames = names;
    keyVariables = variables;
  }
}
