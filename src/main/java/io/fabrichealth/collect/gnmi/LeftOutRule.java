package io.fabrichealth.collect.gnmi;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says that an interface is no port of the fabric.
 *
 * @param port pattern of the whole name; null where only the type says it
 * @param types ends of interface types (iana-if-type)
 */
record LeftOutRule(String name, @Nullable Pattern port, List<String> types) {
  LeftOutRule {
    types = List.copyOf(types);
  }

  boolean fitsName(String interfaceName) {
    return port != null && port.matcher(interfaceName).matches();
  }

  boolean fitsType(String type) {
    return types.stream().anyMatch(type::endsWith);
  }
}
