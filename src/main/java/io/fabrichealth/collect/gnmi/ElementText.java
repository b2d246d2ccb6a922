package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.PathElem;

/** Elements of old paths, which are text: {@code interface[name=Ethernet1/1]}. */
final class ElementText {
  private ElementText() {}

  /** What does not have that form is a name. */
  static PathElem parse(String text) {
    int bracket = text.indexOf('[');
    if (bracket < 0 || !text.endsWith("]")) {
      return PathElem.newBuilder().setName(text).build();
    }
    PathElem.Builder elem = PathElem.newBuilder().setName(text.substring(0, bracket));
    int at = bracket;
    while (at < text.length() && text.charAt(at) == '[') {
      int equals = text.indexOf('=', at);
      int end = equals < 0 ? -1 : end(text, equals);
      if (end < 0) {
        return PathElem.newBuilder().setName(text).build();
      }
      String value = text.substring(equals + 1, end).replace("\\]", "]");
      elem.putKey(text.substring(at + 1, equals), value);
      at = end + 1;
    }
    return elem.build();
  }

  /** The bracket that closes; one after a backslash does not. */
  private static int end(String text, int from) {
    int end = text.indexOf(']', from);
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end = text.indexOf(']', end + 1);
    }
    return end;
  }
}
