package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A device that holds leaves by their paths, as OpenConfig has them. */
final class LeafTree implements DeviceContent {
  private final Map<Path, TypedValue> leaves = new LinkedHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  static Path path(String text) {
    Path.Builder path = Path.newBuilder();
    PathPattern.split(text).forEach(part -> path.addElem(ElementText.parse(part)));
    return path.build();
  }

  static TypedValue text(String value) {
    return TypedValue.newBuilder().setStringVal(value).build();
  }

  static TypedValue unsigned(long value) {
    return TypedValue.newBuilder().setUintVal(value).build();
  }

  static TypedValue real(double value) {
    return TypedValue.newBuilder().setDoubleVal(value).build();
  }

  LeafTree set(String path, TypedValue value) {
    return set(path(path), value);
  }

  LeafTree set(String path, long value) {
    return set(path, unsigned(value));
  }

  LeafTree set(String path, String value) {
    return set(path, text(value));
  }

  private LeafTree set(Path path, TypedValue value) {
    synchronized (leaves) {
      leaves.put(path, value);
    }
    Update update = Update.newBuilder().setPath(path).setVal(value).build();
    listeners.forEach(listener -> listener.changed(List.of(update), List.of()));
    return this;
  }

  /** Takes away all at and below the path. */
  void delete(String text) {
    Path path = path(text);
    synchronized (leaves) {
      leaves.keySet().removeIf(leaf -> fits(path, leaf));
    }
    listeners.forEach(listener -> listener.changed(List.of(), List.of(path)));
  }

  @Override
  public List<Update> read(Path prefix, Path path) {
    List<Update> updates = new ArrayList<>();
    synchronized (leaves) {
      leaves.forEach(
          (leaf, value) -> {
            if (fits(path, leaf)) {
              updates.add(Update.newBuilder().setPath(leaf).setVal(value).build());
            }
          });
    }
    return updates;
  }

  @Override
  public void onChange(Listener listener) {
    listeners.add(listener);
  }

  /** Whether a leaf is at or below a path, which may hold {@code *}. */
  static boolean fits(Path path, Path leaf) {
    if (leaf.getElemCount() < path.getElemCount()) {
      return false;
    }
    for (int index = 0; index < path.getElemCount(); index++) {
      PathElem asked = path.getElem(index);
      PathElem has = leaf.getElem(index);
      if (!asked.getName().equals("*") && !asked.getName().equals(has.getName())) {
        return false;
      }
      for (Map.Entry<String, String> key : asked.getKeyMap().entrySet()) {
        if (!key.getValue().equals("*")
            && !key.getValue().equals(has.getKeyMap().get(key.getKey()))) {
          return false;
        }
      }
    }
    return true;
  }
}
