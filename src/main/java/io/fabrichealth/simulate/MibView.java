package io.fabrichealth.simulate;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Gauge32;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;

/** The objects of one agent in lexicographic order; values are taken when they are asked for. */
final class MibView {
  private final OID[] oids;
  private final Supplier<Variable>[] values;

  @SuppressWarnings("unchecked")
  private MibView(Map<OID, Supplier<Variable>> sorted) {
    oids = sorted.keySet().toArray(OID[]::new);
    values = sorted.values().toArray(Supplier[]::new);
  }

  int size() {
    return oids.length;
  }

  /** The object of exactly that name; null where there is none. */
  @Nullable Variable get(OID oid) {
    int at = Arrays.binarySearch(oids, oid);
    return at < 0 ? null : values[at].get();
  }

  /** The first object after that name; null at the end. */
  @Nullable VariableBinding next(OID oid) {
    int at = Arrays.binarySearch(oids, oid);
    int next = at < 0 ? -at - 1 : at + 1;
    return next == oids.length ? null : new VariableBinding(oids[next], values[next].get());
  }

  /** Collects objects in any order. */
  static final class Builder {
    private final Map<OID, Supplier<Variable>> objects = new TreeMap<>();

    Builder integer(String oid, IntSupplier value) {
      return add(oid, () -> new Integer32(value.getAsInt()));
    }

    Builder integer(String oid, int value) {
      return integer(oid, () -> value);
    }

    Builder text(String oid, String value) {
      return add(oid, () -> new OctetString(value));
    }

    /** A MAC as its six octets. */
    Builder mac(String oid, String mac) {
      return add(oid, () -> OctetString.fromHexString(mac, ':'));
    }

    Builder oid(String oid, String value) {
      return add(oid, () -> new OID(value));
    }

    Builder gauge32(String oid, LongSupplier value) {
      return add(oid, () -> new Gauge32(value.getAsLong()));
    }

    Builder counter32(String oid, LongSupplier value) {
      return add(oid, () -> new Counter32(value.getAsLong() & 0xffff_ffffL));
    }

    Builder counter64(String oid, LongSupplier value) {
      return add(oid, () -> new Counter64(value.getAsLong()));
    }

    /** A time in seconds since the agent's start, in hundredths that wrap at 32 bits. */
    Builder timeTicks(String oid, DoubleSupplier seconds) {
      return add(oid, () -> new TimeTicks(Math.round(100 * seconds.getAsDouble()) & 0xffff_ffffL));
    }

    MibView build() {
      return new MibView(objects);
    }

    private Builder add(String oid, Supplier<Variable> value) {
      if (objects.put(new OID(oid), value) != null) {
        throw new IllegalStateException("object " + oid + " is defined twice");
      }
      return this;
    }
  }
}
