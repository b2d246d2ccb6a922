package io.fabrichealth.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.infiniband.InfinibandTopology;
import io.fabrichealth.collect.wiring.ImportedWiring;
import io.fabrichealth.collect.wiring.LldpcliReader;
import io.fabrichealth.collect.wiring.NcclTopologyReader;
import io.fabrichealth.collect.wiring.NdtReader;
import io.fabrichealth.collect.wiring.NetboxReader;
import io.fabrichealth.collect.wiring.SlurmReader;
import io.fabrichealth.collect.wiring.WiringFormatException;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Wiring;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a plan of what other tools write of a fabric. */
public final class PlanImport {
  private PlanImport() {}

  /** The formats that are read. */
  public enum Format {
    /** {@code lldpcli -f json show neighbors}, also {@code json0}, of one device. */
    LLDPCLI(true),
    /** {@code ibnetdiscover}, also with {@code -p}. */
    IBNETDISCOVER(false),
    IBLINKINFO(false),
    /** {@code ibdiagnet2.db_csv}. */
    IBDIAGNET_DB_CSV(false),
    /** The cabling plan of UFM. */
    NDT(false),
    /** {@code topology.conf}. */
    SLURM_CONF(false),
    /** {@code topology.yaml}. */
    SLURM_YAML(false),
    /** Cables as NetBox exports them. */
    NETBOX_CSV(false),
    /** The answer of NetBox's {@code GET /api/dcim/cables/}. */
    NETBOX_JSON(false),
    /** {@code NCCL_TOPO_DUMP_FILE} of one host. */
    NCCL_XML(true);

    private final boolean ofOneDevice;

    Format(boolean ofOneDevice) {
      this.ofOneDevice = ofOneDevice;
    }

    /** Whether a document is of one device, whose name it does not say. */
    public boolean isOfOneDevice() {
      return ofOneDevice;
    }
  }

  /**
   * What was read.
   *
   * @param refused rows that were not taken
   * @param remarks what the document does not say, or was left out on purpose
   */
  public record Imported(Fabric plan, List<Refused> refused, List<String> remarks) {
    public Imported {
      refused = List.copyOf(refused);
      remarks = List.copyOf(remarks);
    }
  }

  /**
   * A row that was not taken.
   *
   * @param line from 1; 0 where unknown
   * @param field null where it is the row
   */
  public record Refused(int line, @Nullable String field, String problem) {}

  /**
   * Reads a document; keeps what is good of it.
   *
   * @param device of which the document is; needed where it is of one device
   * @throws SettingsException where it is not of that format
   */
  public static Imported read(Format format, @Nullable String device, byte[] document) {
    String of = device == null ? "" : device;
    try {
      return switch (format) {
        case LLDPCLI -> lldp(of, text(document));
        case IBNETDISCOVER -> subnet(InfinibandTopology.Format.IBNETDISCOVER, document);
        case IBLINKINFO -> subnet(InfinibandTopology.Format.IBLINKINFO, document);
        case IBDIAGNET_DB_CSV -> subnet(InfinibandTopology.Format.IBDIAGNET_DB_CSV, document);
        case NDT -> imported(NdtReader.read(text(document)));
        case SLURM_CONF -> imported(SlurmReader.readConf(text(document)));
        case SLURM_YAML -> imported(SlurmReader.readYaml(text(document)));
        case NETBOX_CSV -> imported(NetboxReader.readCsv(text(document)));
        case NETBOX_JSON -> imported(NetboxReader.readJson(text(document)));
        case NCCL_XML -> imported(NcclTopologyReader.read(of, text(document)));
      };
    } catch (WiringFormatException e) {
      throw new SettingsException(
          List.of(
              new SettingsProblem(
                  "body", e.line(), 0, null, String.valueOf(e.getMessage()), format.name())));
    }
  }

  private static String text(byte[] document) {
    return new String(document, UTF_8);
  }

  private static Imported imported(ImportedWiring wiring) {
    return new Imported(wiring.fabric(), refused(wiring.refused()), wiring.remarks());
  }

  private static List<Refused> refused(List<ImportedWiring.Refused> rows) {
    return rows.stream().map(row -> new Refused(row.line(), row.field(), row.problem())).toList();
  }

  private static Imported lldp(String device, String document) throws WiringFormatException {
    LldpcliReader.Read read = LldpcliReader.read(device, Role.SWITCH, document);
    return new Imported(plan(List.of(read.sighting())), refused(read.refused()), List.of());
  }

  private static Imported subnet(InfinibandTopology.Format format, byte[] document) {
    CollectOutcome outcome;
    try {
      outcome = InfinibandTopology.read(format, new ByteArrayInputStream(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> remarks = new ArrayList<>(outcome.remarks());
    outcome.leftOut().forEach(left -> remarks.add(left.row() + " is left out: " + left.rule()));
    List<Refused> refused =
        outcome.problems().stream()
            .map(problem -> new Refused(0, null, problem.message()))
            .toList();
    Fabric plan = plan(outcome.sightings());
    if (plan.devices().isEmpty() && !refused.isEmpty()) {
      throw new SettingsException(
          refused.stream()
              .map(one -> new SettingsProblem("body", 0, 0, null, one.problem(), null))
              .toList());
    }
    return new Imported(plan, refused, remarks);
  }

  /** What is seen becomes what is planned: its devices, cables and the ports at their ends. */
  private static Fabric plan(Collection<Sighting> sightings) {
    Fabric seen = Wiring.join(Fabric.EMPTY, Fabric.EMPTY, sightings);
    Fabric.Builder plan = Fabric.builder();
    seen.devices().forEach(plan::device);
    for (Link link : seen.links()) {
      if (!link.isHalf()) {
        for (PortId end : link.ends()) {
          Port port = seen.port(end);
          if (port != null) {
            plan.port(port);
          }
        }
        plan.link(link);
      }
    }
    return plan.build();
  }
}
