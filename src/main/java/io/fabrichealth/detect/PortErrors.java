package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.FecMode;
import org.jspecify.annotations.Nullable;

/** Bit errors before FEC of a port as a whole, from whichever counter it has. */
final class PortErrors {
  /** Where no FEC mode is known: the code of all lanes of 50 Gb/s and more. */
  private static final FecMode USUAL = FecMode.RS544;

  private static final double HALF = .5;

  private final LaneErrors lanes;
  private final SignalDictionary dictionary;
  private final int histogram;
  private final int totalCodewords;
  private final int correctedCodewords;
  private final int gauge;

  PortErrors(SignalDictionary dictionary) {
    this.dictionary = dictionary;
    lanes = new LaneErrors(dictionary);
    histogram = dictionary.ordinal("fec.codewords_by_symbol_errors");
    totalCodewords = dictionary.ordinal("fec.total_codewords");
    correctedCodewords = dictionary.ordinal("fec.corrected_codewords");
    gauge = dictionary.ordinal("fec.pre_fec_ber");
  }

  /**
   * What one poll tells.
   *
   * @param signal id of the signal that told it
   */
  record Reading(String signal, double errors, double bits) {}

  /**
   * The best that this poll gives; null where it gives nothing.
   *
   * @param gaugeSeconds what a gauge counts for, in seconds
   */
  @Nullable Reading read(PortView port, double gaugeSeconds) {
    Reading bins = fromHistogram(port);
    if (bins != null) {
      return bins;
    }
    int total = lanes.totalSignal(port.window);
    if (total >= 0 && port.speed() > 0 && !Double.isNaN(port.growth(total))) {
      return new Reading(name(total), port.growth(total), port.seconds(total) * port.speed());
    }
    Reading codewords = fromCodewords(port);
    if (codewords != null) {
      return codewords;
    }
    double ratio = port.window.value(gauge, 0);
    if (ratio >= 0 && ratio <= HALF && port.speed() > 0) {
      double bits = gaugeSeconds * port.speed();
      return new Reading(name(gauge), ratio * bits, bits);
    }
    return null;
  }

  /** Corrected symbols are bit errors: with few of them, a symbol has one. */
  private @Nullable Reading fromHistogram(PortView port) {
    SignalWindow window = port.window;
    double codewords = 0;
    double symbols = 0;
    for (int bin = 0; bin < window.elements(histogram); bin++) {
      if (!port.hasGrowth(histogram, bin)) {
        return null;
      }
      codewords += port.growth(histogram, bin);
      symbols += port.growth(histogram, bin) * bin;
    }
    return codewords > 0
        ? new Reading(name(histogram), symbols, codewords * codewordBits(port))
        : null;
  }

  /** The share of codewords without an error gives the errors in a codeword (Poisson). */
  private @Nullable Reading fromCodewords(PortView port) {
    double corrected = port.growth(correctedCodewords);
    double codewords = port.growth(totalCodewords);
    if (Double.isNaN(codewords) && port.speed() > 0) {
      codewords = port.seconds(correctedCodewords) * port.speed() / messageBits(port);
    }
    if (Double.isNaN(corrected) || !(codewords > 0)) {
      return null;
    }
    double share = Math.min(corrected / codewords, .999);
    return new Reading(
        name(correctedCodewords), -Math.log1p(-share) * codewords, codewords * codewordBits(port));
  }

  private static double codewordBits(PortView port) {
    return code(port).codewordBits();
  }

  private static double messageBits(PortView port) {
    FecMode code = code(port);
    return (double) code.codewordBits() * code.messageSymbols() / code.codewordSymbols();
  }

  private static FecMode code(PortView port) {
    FecMode fec = port.context.port().fec();
    return fec.hasCodewords() ? fec : USUAL;
  }

  private String name(int signal) {
    return dictionary.signal(signal).id();
  }
}
