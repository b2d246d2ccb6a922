package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.PathElem;
import org.jspecify.annotations.Nullable;

/**
 * A place in a device's tree while a path or a document is walked down, with what its names and
 * keys said on the way. Used again and again, so that an update costs no object.
 */
final class Cursor {
  private final DeviceCache cache;
  private final PathNode.Names names;
  private @Nullable PathNode node;
  private @Nullable Row port;
  private @Nullable Row component;
  private @Nullable String neighbour;
  private int element = PathNode.NONE;

  /** The path named all ports at once: the document below it tells which one. */
  private boolean anyPort;

  /** A list's entry came without the key that names it. */
  private boolean lacksName;

  Cursor(DeviceCache cache, PathNode.Names names) {
    this.cache = cache;
    this.names = names;
  }

  /** Where it stands; null where nothing is mapped. */
  @Nullable PathNode node() {
    return node;
  }

  @Nullable Row port() {
    return port;
  }

  @Nullable Row component() {
    return component;
  }

  @Nullable String neighbour() {
    return neighbour;
  }

  /** {@link PathNode#NONE} where the way says none. */
  int element() {
    return element;
  }

  boolean lacksName() {
    return lacksName;
  }

  void toRoot() {
    node = cache.profile().tree();
    port = null;
    component = null;
    neighbour = null;
    element = PathNode.NONE;
    anyPort = false;
    lacksName = false;
  }

  void to(Cursor other) {
    node = other.node;
    port = other.port;
    component = other.component;
    neighbour = other.neighbour;
    element = other.element;
    anyPort = other.anyPort;
    lacksName = other.lacksName;
  }

  /** Takes the place in a list of values for the element, where nothing else said one. */
  void elementIfNone(int index) {
    if (element == PathNode.NONE) {
      element = index;
    }
  }

  /** The entry has no key, so nobody knows what it is of. */
  void nameIsMissing() {
    lacksName = port == null && component == null;
  }

  /** Names the port of an entry that came without its key. */
  void namePort(String name) {
    port = cache.port(name);
    lacksName = port == null;
  }

  /**
   * One element further.
   *
   * @param keys the element with its keys; null in a document, where they stand within the entry
   */
  void step(String name, @Nullable PathElem keys) {
    PathNode from = node;
    if (from == null) {
      return;
    }
    if (name.isEmpty()) {
      // Junos: the keys of a list stand in an element of their own, which has no name.
      if (keys != null) {
        bindKeys(from, keys);
      }
      return;
    }
    PathNode child = from.child(name);
    if (child != null) {
      node = child;
      if (child.element() != PathNode.NONE) {
        element = child.element();
      }
      if (keys != null && child.keys() > 0) {
        bindKeys(child, keys);
      }
      return;
    }
    PathNode.Bound bound = from.hasNameRules() ? names.of(from, name) : null;
    if (bound != null) {
      node = bound.node();
      bind(bound);
    } else if (anyPort && keys == null && !from.hasNameRules()) {
      anyPort = false;
      port = cache.port(name);
      refuseUnless(port != null);
    } else if (!from.name().equals(name)) {
      // A document may say the name of the leaf again that the path ended in.
      node = null;
    }
  }

  private void bind(PathNode.Bound bound) {
    String name = bound.port();
    if (name != null) {
      bindPort(name);
    }
    if (bound.component() != null) {
      component = cache.component(bound.component());
      refuseUnless(component != null);
    }
    if (bound.element() != PathNode.NONE) {
      element = bound.element();
    }
  }

  private void bindPort(String name) {
    if (name.indexOf('*') >= 0) {
      anyPort = true;
      port = null;
    } else {
      anyPort = false;
      port = cache.port(name);
      refuseUnless(port != null);
    }
  }

  private void bindKeys(PathNode at, PathElem keys) {
    for (int key = 0; key < at.keys(); key++) {
      // The generated method takes null, and says so in a comment only.
      String value = keys.getKeyMap().get(at.keyName(key));
      if (value != null) {
        bind(at.keyVariable(key), value);
      } else if (at.keyVariable(key) == Variable.PORT && port == null) {
        lacksName = true;
      }
    }
  }

  /** Takes the value of a key of the list's entry. */
  void bind(Variable variable, String value) {
    switch (variable) {
      case PORT -> {
        lacksName = false;
        bindPort(value);
      }
      case COMPONENT -> {
        component = cache.component(value);
        refuseUnless(component != null);
      }
      case NEIGHBOUR -> neighbour = value;
      case QUEUE -> {
        element = port == null ? PathNode.NONE : port.queue(value);
        refuseUnless(element != PathNode.NONE);
      }
      case LANE, PRIORITY, BIN -> {
        element = number(value, variable.elements());
        refuseUnless(element != PathNode.NONE);
      }
      case ANY -> {}
    }
  }

  private void refuseUnless(boolean accepted) {
    if (!accepted) {
      node = null;
    }
  }

  private static int number(String text, int limit) {
    int number = 0;
    for (int at = 0; at < text.length(); at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9 || number >= limit) {
        return PathNode.NONE;
      }
      number = number * 10 + digit;
    }
    return text.isEmpty() || number >= limit ? PathNode.NONE : number;
  }
}
