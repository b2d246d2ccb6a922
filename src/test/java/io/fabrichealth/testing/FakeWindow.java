package io.fabrichealth.testing;

import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A port's signals at one poll, set by hand. A poll that sets nothing has read nothing. */
public final class FakeWindow implements SignalWindow {
  private final PortId port;
  private final SignalDictionary dictionary;
  private final Element[][] elements;
  private long nanos;
  private double interval;
  private long skewNanos;

  private static final class Element {
    double value = Double.NaN;
    long raw;
    long total;
    long delta;
    boolean hasDelta;
    boolean fresh;
    double seconds;
    Quality quality = Quality.UNSUPPORTED;
  }

  public FakeWindow(PortId port, SignalDictionary dictionary) {
    this.port = port;
    this.dictionary = dictionary;
    elements = new Element[dictionary.size()][0];
  }

  /** Begins the next poll: what was read before is not read any more. */
  public FakeWindow begin(long atNanos, double seconds) {
    nanos = atNanos;
    interval = seconds;
    for (Element[] ofSignal : elements) {
      for (Element element : ofSignal) {
        element.value = Double.NaN;
        element.hasDelta = false;
        element.fresh = false;
      }
    }
    return this;
  }

  /** The device's clock is wrong by that much; the reader's is right. */
  public FakeWindow skewed(double seconds) {
    skewNanos = Math.round(seconds * 1e9);
    return this;
  }

  public FakeWindow up() {
    return gauge("port.oper_up", 1).gauge("port.admin_up", 1);
  }

  public FakeWindow down() {
    return gauge("port.oper_up", 0).gauge("port.admin_up", 1);
  }

  public FakeWindow gauge(String signal, double value) {
    return gauge(signal, 0, value);
  }

  public FakeWindow gauge(String signal, int index, double value) {
    Element element = element(signal, index);
    element.value = value;
    element.fresh = !Double.isNaN(value);
    element.quality = Double.isNaN(value) ? Quality.UNREADABLE : Quality.OK;
    return this;
  }

  /** One value an element, from 0. */
  public FakeWindow gauges(String signal, double... values) {
    for (int index = 0; index < values.length; index++) {
      gauge(signal, index, values[index]);
    }
    return this;
  }

  public FakeWindow grow(String signal, double growth) {
    return grow(signal, 0, growth);
  }

  public FakeWindow grow(String signal, int index, double growth) {
    Element element = element(signal, index);
    element.delta = Math.round(growth);
    element.raw += element.delta;
    element.total += element.delta;
    element.hasDelta = true;
    element.fresh = true;
    element.seconds = interval;
    element.quality = Quality.OK;
    return this;
  }

  /** One growth an element, from 0. */
  public FakeWindow grows(String signal, double... growths) {
    for (int index = 0; index < growths.length; index++) {
      grow(signal, index, growths[index]);
    }
    return this;
  }

  /** The counter reached its end, or stands there since. */
  public FakeWindow saturate(String signal, double growth) {
    grow(signal, growth);
    Element element = element(signal, 0);
    element.quality = Quality.SATURATED;
    element.hasDelta = growth > 0;
    return this;
  }

  public FakeWindow reset(String signal) {
    Element element = element(signal, 0);
    element.fresh = true;
    element.hasDelta = false;
    element.quality = Quality.RESET;
    return this;
  }

  /** All elements that were read in this poll began anew. */
  public FakeWindow resetAll(String signal) {
    for (Element element : elements[dictionary.ordinal(signal)]) {
      element.hasDelta = false;
      element.quality = Quality.RESET;
    }
    return this;
  }

  /** The counter began anew at 0: what it grew by since it was last read is not known. */
  public FakeWindow restart(String signal) {
    element(signal, 0).raw = 0;
    return reset(signal);
  }

  public FakeWindow unsupported(String signal) {
    element(signal, 0).quality = Quality.UNSUPPORTED;
    return this;
  }

  /** As if no element of it had ever been read. */
  public FakeWindow unsupportedAll(String signal) {
    elements[dictionary.ordinal(signal)] = new Element[0];
    return this;
  }

  private Element element(String signal, int index) {
    int ordinal = dictionary.ordinal(signal);
    int known = elements[ordinal].length;
    if (index >= known) {
      elements[ordinal] = Arrays.copyOf(elements[ordinal], index + 1);
      for (int added = known; added <= index; added++) {
        elements[ordinal][added] = new Element();
      }
    }
    return elements[ordinal][index];
  }

  private @Nullable Element find(int ordinal, int index) {
    return index < elements[ordinal].length ? elements[ordinal][index] : null;
  }

  @Override
  public PortId port() {
    return port;
  }

  @Override
  public String collector() {
    return "snmp";
  }

  @Override
  public long readNanos() {
    return nanos;
  }

  @Override
  public long timeNanos() {
    return nanos + skewNanos;
  }

  @Override
  public int elements(int signal) {
    return elements[signal].length;
  }

  @Override
  public boolean isFresh(int signal) {
    for (int index = 0; index < elements(signal); index++) {
      Element element = find(signal, index);
      if (element != null && element.fresh) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Quality quality(int signal, int index) {
    Element element = find(signal, index);
    return element == null ? Quality.UNSUPPORTED : element.quality;
  }

  @Override
  public @Nullable String reason(int signal, int index) {
    return null;
  }

  @Override
  public double value(int signal, int index) {
    Element element = find(signal, index);
    return element == null ? Double.NaN : element.value;
  }

  @Override
  public long raw(int signal, int index) {
    Element element = find(signal, index);
    return element == null ? 0 : element.raw;
  }

  @Override
  public boolean hasDelta(int signal, int index) {
    Element element = find(signal, index);
    return element != null && element.hasDelta;
  }

  @Override
  public long delta(int signal, int index) {
    Element element = find(signal, index);
    return element != null && element.hasDelta ? element.delta : 0;
  }

  @Override
  public double deltaSum(int signal) {
    double sum = 0;
    for (int index = 0; index < elements(signal); index++) {
      sum += delta(signal, index);
    }
    return sum;
  }

  @Override
  public double seconds(int signal, int index) {
    Element element = find(signal, index);
    return element != null && element.hasDelta ? element.seconds : 0;
  }

  @Override
  public long total(int signal, int index) {
    Element element = find(signal, index);
    return element == null ? 0 : element.total;
  }
}
