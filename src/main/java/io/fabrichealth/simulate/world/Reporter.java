package io.fabrichealth.simulate.world;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.Draws;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads devices: makes of the state of their ports what their collectors would bring. */
final class Reporter {
  private static final int PRIORITIES = 8;
  private static final int LOSSLESS = 3;
  private static final double SIGNIFICANT = 100;

  private final SignalDictionary dictionary;
  private final Draws draws;
  private final Map<Reporting, Columns> columns = new IdentityHashMap<>();
  private final long[] values = new long[Counter.SLOTS];
  private final int deviceTemperature;
  private final int deviceCpu;

  /** What a kind of device tells, by ordinals of the dictionary. */
  private record Columns(
      Counter[] counters, int[] ordinals, long[] masks, Gauge[] gauges, int[] gaugeOrdinals) {}

  Reporter(SignalDictionary dictionary, Draws draws) {
    this.dictionary = dictionary;
    this.draws = draws;
    deviceTemperature = dictionary.ordinal("device.temperature_celsius");
    deviceCpu = dictionary.ordinal("device.cpu_ratio");
  }

  private Columns columns(Reporting reporting) {
    int size = reporting.counters().size();
    int[] ordinals = new int[size];
    long[] masks = new long[size];
    for (int i = 0; i < size; i++) {
      Counter counter = reporting.counters().get(i);
      ordinals[i] = dictionary.ordinal(counter.signal());
      Signal signal = dictionary.signal(ordinals[i]);
      Integer bits = reporting.bits().get(counter);
      masks[i] = bits == null ? signal.largest() : (1L << bits) - 1;
    }
    int[] gaugeOrdinals =
        reporting.gauges().stream().mapToInt(g -> dictionary.ordinal(g.signal())).toArray();
    return new Columns(
        reporting.counters().toArray(Counter[]::new),
        ordinals,
        masks,
        reporting.gauges().toArray(Gauge[]::new),
        gaugeOrdinals);
  }

  /**
   * One pass.
   *
   * @param now when the counters were copied, in seconds of the run
   * @param at when the reader had them in hand
   * @param told what the device's clock says; null where it says nothing
   * @param share of the ports that are read; less than 1 where the pass ends early
   */
  PollBatch read(DeviceModel device, double now, Instant at, @Nullable Instant told, double share) {
    Reporting reporting = device.reporting();
    Columns columnsOfKind = columns.computeIfAbsent(reporting, this::columns);
    PollBatch.Builder batch =
        PollBatch.builder(device.name(), reporting.collector(), at)
            .deviceTime(told)
            .boot(device.boot().toString());
    int read = (int) Math.ceil(share * device.ports().size());
    for (PortModel port : device.ports().subList(0, read)) {
      port.count(now, values);
      int index = batch.port(port.name());
      String discontinuity = port.discontinuity();
      if (discontinuity != null) {
        batch.discontinuity(port.name(), discontinuity);
      }
      for (int i = 0; i < columnsOfKind.gauges().length; i++) {
        gauge(batch, index, columnsOfKind.gaugeOrdinals()[i], columnsOfKind.gauges()[i], port, now);
      }
      counters(batch, index, columnsOfKind, reporting, port);
    }
    int own = batch.port(PollBatch.DEVICE);
    double celsius = device.roomCelsius(now) + 17 + draws.gaussian(0, .2);
    batch.value(own, deviceTemperature, 0, round(celsius, .1));
    batch.value(own, deviceCpu, 0, round(draws.uniform(.03, .25), .01));
    return batch.build(share >= 1);
  }

  private void counters(
      PollBatch.Builder batch, int index, Columns columns, Reporting reporting, PortModel port) {
    for (int i = 0; i < columns.counters().length; i++) {
      Counter counter = columns.counters()[i];
      int ordinal = columns.ordinals()[i];
      long mask = columns.masks()[i];
      if (counter.isOfClass()) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
          long value = priority == LOSSLESS ? values[counter.slot()] : 0;
          append(batch, index, ordinal, priority, value, mask);
        }
        continue;
      }
      int elements = elements(counter, reporting, port);
      for (int element = 0; element < elements; element++) {
        append(batch, index, ordinal, element, values[counter.slot() + element], mask);
      }
    }
  }

  private static int elements(Counter counter, Reporting reporting, PortModel port) {
    return switch (counter) {
      case BINS -> reporting.bins();
      case SYMBOL_ERRORS, CORRECTED_BITS -> port.receiver().lanes();
      default -> counter.elements();
    };
  }

  private void append(
      PollBatch.Builder batch, int port, int ordinal, int element, long value, long mask) {
    boolean sticks = dictionary.signal(ordinal).atEnd() == Signal.AtEnd.SATURATES;
    if (sticks && Long.compareUnsigned(value, mask) >= 0) {
      batch.saturated(port, ordinal, element, mask);
    } else {
      batch.counter(port, ordinal, element, value & mask);
    }
  }

  private void gauge(
      PollBatch.Builder batch, int index, int ordinal, Gauge gauge, PortModel port, double now) {
    Optics optics = port.optics();
    HostSide host = port.host();
    Receiver receiver = port.receiver();
    double step = port.device().reporting().decibelStep();
    switch (gauge) {
      case OPER_UP -> batch.value(index, ordinal, 0, port.link().isUp() ? 1 : 0);
      case ADMIN_UP -> batch.value(index, ordinal, 0, 1);
      case SPEED -> batch.value(index, ordinal, 0, port.speed());
      case WIDTH -> batch.value(index, ordinal, 0, port.lanes());
      case MTU -> batch.value(index, ordinal, 0, port.mtu());
      case PRE_FEC_BER -> batch.value(index, ordinal, 0, significant(receiver.measuredRatio()));
      case POST_FEC_BER -> batch.value(index, ordinal, 0, 0);
      case LANE_BER -> {
        for (int lane = 0; lane < receiver.lanes(); lane++) {
          batch.value(index, ordinal, lane, significant(receiver.measuredLaneRatio(lane)));
        }
      }
      case WATERMARK -> {
        for (int queue = 0; queue < PRIORITIES; queue++) {
          double used = port.utilisation();
          double bytes =
              queue == LOSSLESS ? 3e4 * draws.uniform(.7, 1.4) + 2e6 * Math.pow(used, 12) : 0;
          batch.value(index, ordinal, queue, Math.rint(bytes));
        }
      }
      case PCIE_WIDTH -> batch.value(index, ordinal, 0, host == null ? 0 : host.pcieWidth());
      case PCIE_SPEED -> batch.value(index, ordinal, 0, host == null ? 0 : host.pcieSpeed());
      case MODULE_TEMPERATURE -> {
        if (optics != null) {
          double celsius = optics.celsius(port.device().roomCelsius(now));
          batch.value(index, ordinal, 0, round(celsius, .1));
        }
      }
      case MODULE_VOLTAGE -> {
        if (optics != null) {
          batch.value(index, ordinal, 0, round(optics.volts(), .01));
        }
      }
      case RX_POWER, TX_POWER, TX_BIAS, SNR -> {
        if (optics != null) {
          lanes(batch, index, ordinal, gauge, optics, port.link().isUp(), step);
        }
      }
    }
  }

  private static void lanes(
      PollBatch.Builder batch,
      int index,
      int ordinal,
      Gauge gauge,
      Optics optics,
      boolean hasLight,
      double step) {
    for (int lane = 0; lane < optics.lanes(); lane++) {
      if (!hasLight && (gauge == Gauge.RX_POWER || gauge == Gauge.SNR)) {
        batch.absent(index, ordinal, lane, Quality.UNREADABLE, "no light");
        continue;
      }
      double value =
          switch (gauge) {
            case RX_POWER -> round(optics.receivedDbm(lane), step);
            case TX_POWER -> round(optics.transmittedDbm(lane), step);
            case SNR -> round(optics.snrDecibels(lane), .1);
            default -> round(optics.biasMilliamperes(lane), .1);
          };
      batch.value(index, ordinal, lane, value);
    }
  }

  /** As devices print it: to so many places, without the noise of binary fractions. */
  private static double round(double value, double step) {
    double places = Math.rint(1 / step);
    return Math.rint(value * places) / places;
  }

  /** Three significant digits. */
  private static double significant(double value) {
    if (value <= 0) {
      return 0;
    }
    double scale = Math.pow(10, Math.floor(Math.log10(value)));
    double digits = Math.rint(value / scale * SIGNIFICANT) / SIGNIFICANT;
    return Double.parseDouble((float) digits + "E" + (int) Math.log10(scale));
  }
}
