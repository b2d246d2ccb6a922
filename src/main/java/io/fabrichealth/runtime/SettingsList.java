package io.fabrichealth.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The targets of one collector, from wherever they are named; each name once.
 *
 * @param <E> a target as it is written
 * @param <T> a target as it is read
 */
final class SettingsList<E, T> {

  /** Checks one. */
  interface Check<E, T> {
    /**
     * @param names those so far, with their places
     */
    T target(E written, SettingsEntry entry, Map<String, SettingsPlace> names);
  }

  private final Check<E, T> check;
  private final Function<T, String> name;
  private final List<T> targets = new ArrayList<>();
  private final Map<String, SettingsPlace> names = new HashMap<>();

  SettingsList(Check<E, T> check, Function<T, String> name) {
    this.check = check;
    this.name = name;
  }

  List<T> targets() {
    return targets;
  }

  /**
   * Adds those of a list.
   *
   * @param list key of the list below the entry
   */
  void add(@Nullable List<E> written, SettingsEntry entry, String list) {
    targets.addAll(check(written, entry, list, names));
  }

  /** Those of a list that stands for itself. */
  List<T> check(@Nullable List<E> written, SettingsEntry entry, String list) {
    return check(written, entry, list, new HashMap<>());
  }

  private List<T> check(
      @Nullable List<E> written,
      SettingsEntry entry,
      String list,
      Map<String, SettingsPlace> known) {
    List<T> checked = new ArrayList<>();
    for (int i = 0; written != null && i < written.size(); i++) {
      SettingsEntry at = entry.at(list + "[" + i + "]");
      // an element that could not be bound was said already
      if (!at.failed("")) {
        checked.add(check.target(written.get(i), at, known));
      }
    }
    return checked;
  }

  /** Adds those that {@link #check} returned, but for names that are taken: these are rejected. */
  void addDiscovered(List<T> checked, SettingsEntry entry, String list) {
    for (int i = 0; i < checked.size(); i++) {
      String of = name.apply(checked.get(i));
      SettingsEntry at = entry.at(list + "[" + i + "]");
      SettingsPlace before = names.putIfAbsent(of, at.place(""));
      if (before == null) {
        targets.add(checked.get(i));
      } else {
        at.reject("", "'" + of + "' is left out, it stands also at " + before.where(), null);
      }
    }
  }
}
