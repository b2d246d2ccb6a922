package io.fabrichealth.collect.wiring;

import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topology of one host as NCCL writes it ({@code NCCL_TOPO_DUMP_FILE}) or takes it
 * ({@code NCCL_TOPO_FILE}): the ports of its HCAs, and in remarks which GPU sits with which NIC
 * below one PCI bridge. A file that is made for a kind of machine names no HCA and gives only those
 * remarks. It says nothing of cables.
 */
public final class NcclTopologyReader {
  private static final int MOST_REMARKS = 64;

  private final String host;
  private final CableList devices = new CableList();
  private final List<String> remarks = new ArrayList<>();
  private final Deque<Bridge> bridges = new ArrayDeque<>();
  private int ports;

  private NcclTopologyReader(String host) {
    this.host = host;
    devices.device(host, Role.HOST);
  }

  /** A PCI element and what sits right below it. */
  private static final class Bridge {
    private final List<String> gpus = new ArrayList<>();
    private final List<String> nics = new ArrayList<>();
  }

  /**
   * @param host whose topology it is; the document does not say it
   * @throws WiringFormatException where it is no such document
   */
  public static ImportedWiring read(String host, String document) throws WiringFormatException {
    if (document.contains("<!DOCTYPE")) {
      // No document may name others, or grow when it is read; NCCL's have no such thing.
      throw new WiringFormatException(1, "has a document type, which is not read");
    }
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    NcclTopologyReader reader = new NcclTopologyReader(host);
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(document));
      boolean isSystem = false;
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            if (!isSystem && !xml.getLocalName().equals("system")) {
              throw new WiringFormatException(
                  xml.getLocation().getLineNumber(), "the document is no <system>");
            }
            isSystem = true;
            reader.begin(xml);
          }
          case XMLStreamConstants.END_ELEMENT -> reader.end(xml.getLocalName());
          default -> {
            // Comments and blanks.
          }
        }
      }
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      throw new WiringFormatException(Math.max(line, 0), "not well-formed XML");
    }
    return reader.build();
  }

  private void begin(XMLStreamReader xml) {
    switch (xml.getLocalName()) {
      case "pci" -> {
        Bridge above = bridges.peek();
        String type = attribute(xml, "class").toLowerCase(Locale.ROOT);
        if (above != null && type.startsWith("0x0302")) {
          above.gpus.add(attribute(xml, "busid"));
        } else if (above != null && type.startsWith("0x02")) {
          above.nics.add(attribute(xml, "busid"));
        }
        bridges.push(new Bridge());
      }
      case "net" -> net(xml);
      default -> {
        // CPUs, GPUs, NVLinks: not of the fabric.
      }
    }
  }

  private void end(String element) {
    if (element.equals("pci")) {
      Bridge bridge = bridges.pop();
      if (!bridge.gpus.isEmpty() && !bridge.nics.isEmpty()) {
        String pair =
            "GPU %s is with NIC %s"
                .formatted(String.join(", ", bridge.gpus), String.join(", ", bridge.nics));
        if (remarks.size() < MOST_REMARKS) {
          remarks.add(pair);
        }
      }
    }
  }

  private void net(XMLStreamReader xml) {
    int line = xml.getLocation().getLineNumber();
    String name = attribute(xml, "name");
    if (name.isEmpty()) {
      devices.refusals().add(line, "net", "has no name");
      return;
    }
    Integer port = number(attribute(xml, "port"));
    Integer megabits = number(attribute(xml, "speed"));
    String guid = attribute(xml, "guid").toLowerCase(Locale.ROOT);
    ports++;
    devices.port(
        new Port(
            new PortId(host, name + "/" + (port == null ? 1 : port)),
            megabits == null ? 0 : megabits * 1_000_000L,
            0,
            FecMode.UNKNOWN,
            Media.UNKNOWN,
            null,
            0,
            true,
            guid.matches("0x[0-9a-f]{16}") ? List.of(guid) : List.of()));
  }

  private static @Nullable Integer number(String text) {
    return text.matches("\\d{1,9}") ? Integer.valueOf(text) : null;
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value.strip();
  }

  private ImportedWiring build() {
    if (ports == 0) {
      remarks.addFirst("it names no HCA: a file for a kind of machine, not one that NCCL dumped");
    }
    return devices.build(remarks);
  }
}
