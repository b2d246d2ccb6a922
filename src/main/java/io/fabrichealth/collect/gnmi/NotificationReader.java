package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Decimal64;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.Value;
import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;

/**
 * Takes notifications into the cache of a device. Source: gNMI specification 0.11, sections 2.1 to
 * 2.3 and 3.5; protobuf {@code gnmi} 0.10.
 */
final class NotificationReader {
  private static final int FLOAT_BYTES = 4;
  private static final int MOST_DIGITS = 18;

  private final DeviceCache cache;
  private final CellWriter writer;
  private final JsonReader json;
  private final Cursor prefix;
  private final Cursor cursor;
  private final Cursor listed;
  private final double[] powers = new double[MOST_DIGITS + 1];
  private long nameless;
  private long malformed;
  private long coalesced;

  NotificationReader(DeviceCache cache, BitSet operStates, boolean[] sampled) {
    this.cache = cache;
    PathNode.Names names = new PathNode.Names();
    writer = new CellWriter(cache, operStates, sampled);
    json = new JsonReader(writer, () -> new Cursor(cache, names));
    prefix = new Cursor(cache, names);
    cursor = new Cursor(cache, names);
    listed = new Cursor(cache, names);
    double power = 1;
    for (int digits = 0; digits < powers.length; digits++) {
      powers[digits] = power;
      power *= 10;
    }
  }

  /** Updates that did not say which port they are of. */
  long nameless() {
    return nameless;
  }

  /** Updates whose value could not be read. */
  long malformed() {
    return malformed;
  }

  /** Earlier values that the device dropped because they were not taken in time. */
  long coalesced() {
    return coalesced;
  }

  /**
   * Takes one notification in.
   *
   * @param nanos by {@link System#nanoTime}
   * @return whether it brought a sampled value
   */
  boolean read(Notification notification, long nanos) {
    writer.begin(nanos);
    Path before = notification.getPrefix();
    prefix.toRoot();
    walk(prefix, before);
    boolean hasPrefix = depth(before) > 0;
    if (prefix.lacksName()) {
      nameFromWithin(notification);
    }
    if (notification.getAtomic() && hasPrefix) {
      cache.delete(prefix);
    }
    for (Path path : notification.getDeleteList()) {
      // Huawei sends an empty path beside an update; it does not mean all that there is.
      if (hasPrefix || depth(path) > 0) {
        cursor.to(prefix);
        walk(cursor, path);
        cache.delete(cursor);
      }
    }
    int count = notification.getUpdateCount();
    for (int index = 0; index < count; index++) {
      update(notification.getUpdate(index));
    }
    return writer.tookSample();
  }

  private static int depth(Path path) {
    return path.getElemCount() + path.getElementCount();
  }

  /** Ciena names the interface by a leaf beside the others only. */
  private void nameFromWithin(Notification notification) {
    for (Update update : notification.getUpdateList()) {
      Path path = update.getPath();
      int last = path.getElemCount() - 1;
      if (last == 0 && path.getElem(0).getName().equals("name")) {
        String text = update.getVal().getStringVal();
        String name = Texts.clean(text, text.length());
        if (!name.isEmpty()) {
          prefix.namePort(name);
          return;
        }
      }
    }
  }

  private static void walk(Cursor at, Path path) {
    int elems = path.getElemCount();
    for (int index = 0; index < elems; index++) {
      PathElem elem = path.getElem(index);
      at.step(elem.getName(), elem);
    }
    if (elems == 0 && path.getElementCount() > 0) {
      for (String element : path.getElementList()) {
        PathElem elem = ElementText.parse(element);
        at.step(elem.getName(), elem);
      }
    }
  }

  private void update(Update update) {
    coalesced += update.getDuplicates();
    cursor.to(prefix);
    walk(cursor, update.getPath());
    PathNode node = cursor.node();
    if (node == null) {
      return;
    }
    if (cursor.lacksName()) {
      nameless++;
      return;
    }
    boolean good =
        update.hasVal()
            ? value(node, update.getVal())
            : !update.hasValue() || oldValue(node, update.getValue());
    if (!good) {
      malformed++;
    }
  }

  private boolean value(PathNode node, TypedValue value) {
    boolean isLeaf = node.leaf() != PathNode.NONE;
    switch (value.getValueCase()) {
      case JSON_VAL -> {
        return json.read(value.getJsonVal().toByteArray(), cursor);
      }
      case JSON_IETF_VAL -> {
        return json.read(value.getJsonIetfVal().toByteArray(), cursor);
      }
      case LEAFLIST_VAL -> {
        return !isLeaf || list(node, value.getLeaflistVal().getElementList());
      }
      default -> {
        return !isLeaf || scalar(cursor, node, value);
      }
    }
  }

  private boolean scalar(Cursor at, PathNode node, TypedValue value) {
    switch (value.getValueCase()) {
      case UINT_VAL -> writer.unsigned(at, node, value.getUintVal());
      case INT_VAL -> writer.signed(at, node, value.getIntVal());
      case STRING_VAL -> writer.text(at, node, value.getStringVal());
      case ASCII_VAL -> writer.text(at, node, value.getAsciiVal());
      case BOOL_VAL -> writer.truth(at, node, value.getBoolVal());
      case FLOAT_VAL -> writer.real(at, node, shortest(value.getFloatVal()));
      case DOUBLE_VAL -> writer.real(at, node, value.getDoubleVal());
      case DECIMAL_VAL -> {
        return decimal(at, node, value.getDecimalVal());
      }
      case BYTES_VAL -> {
        return bytes(at, node, value.getBytesVal());
      }
      case JSON_VAL, JSON_IETF_VAL, LEAFLIST_VAL, ANY_VAL, PROTO_BYTES, VALUE_NOT_SET -> {
        writer.none(at, node, CellState.OTHER_TYPE);
        return value.getValueCase() == TypedValue.ValueCase.VALUE_NOT_SET;
      }
    }
    return true;
  }

  /** The number that was meant: 36.66, not 36.65999984741211. */
  private static double shortest(float value) {
    return Double.parseDouble(Float.toString(value));
  }

  private boolean decimal(Cursor at, PathNode node, Decimal64 value) {
    int precision = value.getPrecision();
    if (precision < 0 || precision > MOST_DIGITS) {
      writer.none(at, node, CellState.NOT_A_NUMBER);
      return false;
    }
    if (precision == 0) {
      writer.signed(at, node, value.getDigits());
    } else {
      writer.real(at, node, value.getDigits() / powers[precision]);
    }
    return true;
  }

  /** Numbers of the type ieeefloat32 (openconfig-types) come as four bytes, the highest first. */
  private boolean bytes(Cursor at, PathNode node, ByteString value) {
    if (writer.isText(node)) {
      writer.text(at, node, value.toString(StandardCharsets.UTF_8));
      return true;
    }
    if (value.size() != FLOAT_BYTES) {
      writer.none(at, node, CellState.OTHER_TYPE);
      return false;
    }
    writer.real(at, node, shortest(value.asReadOnlyByteBuffer().getFloat()));
    return true;
  }

  private boolean list(PathNode node, List<TypedValue> values) {
    if (writer.isText(node)) {
      StringBuilder texts = new StringBuilder();
      for (TypedValue one : values) {
        texts.append(texts.isEmpty() ? "" : ",").append(text(one));
      }
      writer.text(cursor, node, texts.toString());
      return true;
    }
    boolean good = true;
    for (int index = 0; index < values.size(); index++) {
      listed.to(cursor);
      listed.elementIfNone(index);
      good &= scalar(listed, node, values.get(index));
    }
    return good;
  }

  private static String text(TypedValue value) {
    return switch (value.getValueCase()) {
      case STRING_VAL -> value.getStringVal();
      case ASCII_VAL -> value.getAsciiVal();
      case UINT_VAL -> Long.toUnsignedString(value.getUintVal());
      case INT_VAL -> Long.toString(value.getIntVal());
      default -> "";
    };
  }

  /** The value of old targets: bytes, and what they are. */
  private boolean oldValue(PathNode node, Value old) {
    Encoding type = old.getType();
    switch (type) {
      case JSON, JSON_IETF -> {
        return json.read(old.getValue().toByteArray(), cursor);
      }
      case ASCII -> {
        if (node.leaf() != PathNode.NONE) {
          writer.text(cursor, node, old.getValue().toString(StandardCharsets.UTF_8));
        }
        return true;
      }
      case BYTES -> {
        return node.leaf() == PathNode.NONE || bytes(cursor, node, old.getValue());
      }
      case PROTO, UNRECOGNIZED -> {
        return false;
      }
    }
    return false;
  }
}
