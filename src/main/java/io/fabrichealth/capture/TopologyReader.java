package io.fabrichealth.capture;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads the lists of one topology; they may come in any order. */
final class TopologyReader {
  private static final int MOST_LANES = 64;
  private static final int LARGEST_MTU = 1 << 20;
  private static final int LARGEST_RAIL = 1 << 20;
  private static final int MOST_ERRORS = 1_000;

  private final RecordFields fields;
  private final Map<String, Device> devices = new HashMap<>();
  private final Fabric.Builder fabric = Fabric.builder();
  private final List<WrittenLink> links = new ArrayList<>();

  /**
   * @param tier null where the record does not say
   */
  private record WrittenLink(
      PortId a, @Nullable PortId b, @Nullable Tier tier, @Nullable Integer rail) {}

  TopologyReader(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "devices" -> fields.array(() -> new WrittenDevice().read());
      case "ports" -> fields.array(() -> new WrittenPort().read());
      case "links" -> fields.array(() -> new LinkFields().read());
      default -> fields.skip();
    }
  }

  Fabric fabric() {
    for (WrittenLink link : links) {
      PortId b = link.b();
      if (b == null) {
        fabric.link(Link.half(link.a(), link.rail()));
      } else {
        Tier tier = link.tier();
        fabric.link(
            Link.between(
                link.a(),
                b,
                tier == null ? Tier.between(roleOf(link.a()), roleOf(b)) : tier,
                link.rail()));
      }
    }
    return fabric.build();
  }

  private Role roleOf(PortId port) {
    Device device = devices.get(port.device());
    return device == null ? Role.SWITCH : device.role();
  }

  private final class WrittenDevice {
    private @Nullable String name;
    private Role role = Role.SWITCH;
    private @Nullable String vendor;
    private @Nullable String model;
    private @Nullable Integer rail;
    private @Nullable Integer plane;
    private final Map<String, Integer> counterBits = new HashMap<>();
    private final List<ErrorBin> fecBins = new ArrayList<>();

    void read() {
      if (!fields.object(this::take)) {
        return;
      }
      if (name == null) {
        fields.refuse("a 'name' in it");
        return;
      }
      Device device = new Device(name, role, vendor, model, rail, plane, counterBits, fecBins);
      devices.put(name, device);
      fabric.device(device);
    }

    private void take(String field) {
      switch (field) {
        case "name" -> name = fields.name();
        case "role" -> role = TopologyJson.role(fields.text());
        case "vendor" -> vendor = fields.text();
        case "model" -> model = fields.text();
        case "rail" -> rail = fields.index(0, LARGEST_RAIL);
        case "plane" -> plane = fields.index(0, LARGEST_RAIL);
        case "counterBits" ->
            fields.object(
                signal -> {
                  Integer bits = fields.index(1, Long.SIZE);
                  if (bits != null) {
                    counterBits.put(signal, bits);
                  }
                });
        case "fecBins" -> fields.array(this::takeBin);
        default -> fields.skip();
      }
    }

    private void takeBin() {
      List<Integer> bounds = new ArrayList<>(2);
      fields.array(
          () -> {
            Integer bound = fields.index(0, MOST_ERRORS);
            bounds.add(bound == null ? -1 : bound);
          });
      if (bounds.size() == 2 && bounds.get(0) >= 0 && bounds.get(0) <= bounds.get(1)) {
        fecBins.add(new ErrorBin(bounds.get(0), bounds.get(1)));
      } else {
        // The bins after it would be taken for others.
        fecBins.clear();
        fields.refuse("the least and the most errors of a bin");
      }
    }
  }

  private final class WrittenPort {
    private @Nullable String device;
    private @Nullable String name;
    private long speed;
    private int lanes;
    private FecMode fec = FecMode.UNKNOWN;
    private Media media = Media.UNKNOWN;
    private @Nullable String partNumber;
    private int mtu;
    private boolean adminUp = true;
    private List<String> aliases = List.of();

    void read() {
      if (!fields.object(this::take)) {
        return;
      }
      if (device == null || name == null) {
        fields.refuse("a 'device' and a 'name' in it");
        return;
      }
      PortId id = new PortId(device, name);
      fabric.port(new Port(id, speed, lanes, fec, media, partNumber, mtu, adminUp, aliases));
    }

    private void take(String field) {
      switch (field) {
        case "device" -> device = fields.name();
        case "name" -> name = fields.name();
        case "speedBitsPerSecond" -> speed = fields.whole(0, Long.MAX_VALUE, 0);
        case "lanes" -> lanes = (int) fields.whole(0, MOST_LANES, 0);
        case "fec" -> fec = TopologyJson.constant(FecMode.values(), fields.text(), FecMode.UNKNOWN);
        case "media" -> media = TopologyJson.constant(Media.values(), fields.text(), Media.UNKNOWN);
        case "partNumber" -> partNumber = fields.text();
        case "mtu" -> mtu = (int) fields.whole(0, LARGEST_MTU, 0);
        case "admin" -> adminUp = !"down".equals(fields.text());
        case "aliases" -> aliases = fields.texts();
        default -> fields.skip();
      }
    }
  }

  private final class LinkFields {
    private @Nullable PortId a;
    private @Nullable PortId b;
    private boolean isHalf = true;
    private @Nullable Tier tier;
    private @Nullable Integer rail;

    void read() {
      if (!fields.object(this::take)) {
        return;
      }
      PortId one = a;
      if (one == null || (b == null && !isHalf) || one.equals(b)) {
        fields.refuse("two ends in it, each a 'device' and a 'port'");
        return;
      }
      links.add(new WrittenLink(one, b, tier, rail));
    }

    private void take(String field) {
      switch (field) {
        case "a" -> a = end();
        case "b" -> {
          isHalf = fields.in().currentToken() == JsonToken.VALUE_NULL;
          b = end();
        }
        case "tier" -> tier = tier(fields.text());
        case "rail" -> rail = fields.index(0, LARGEST_RAIL);
        default -> fields.skip();
      }
    }
  }

  private static Tier tier(@Nullable String label) {
    for (Tier tier : Tier.values()) {
      if (tier.label().equals(label)) {
        return tier;
      }
    }
    return Tier.OTHER;
  }

  private @Nullable PortId end() {
    WrittenEnd end = WrittenEnd.read(fields);
    String device = end.device();
    String port = end.port();
    return device == null || port == null ? null : new PortId(device, port);
  }
}
