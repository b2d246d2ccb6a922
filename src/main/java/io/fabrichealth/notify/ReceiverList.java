package io.fabrichealth.notify;

import io.fabrichealth.incident.Receivers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The receivers as the settings have them now. */
public final class ReceiverList implements Receivers {
  private volatile List<Receiver> all;

  public ReceiverList(List<Receiver> all) {
    this.all = List.copyOf(all);
  }

  /** From now on these. */
  public void replace(List<Receiver> receivers) {
    all = List.copyOf(receivers);
  }

  List<Receiver> all() {
    return all;
  }

  @Override
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    all.forEach(receiver -> names.add(receiver.name()));
    return names;
  }
}
