package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Function;

/** Reads what tools print of the wiring of a subnet. */
public final class InfinibandTopology {
  /** The formats that are read. */
  public enum Format {
    /** {@code ibnetdiscover}, with or without {@code -f}, {@code -g} or {@code -p}. */
    IBNETDISCOVER(DiscoverText::new),
    /** {@code iblinkinfo}, with or without {@code -l}. */
    IBLINKINFO(LinkInfoText::new),
    /** {@code ibdiagnet2.db_csv} of {@code ibdiagnet}. */
    IBDIAGNET_DB_CSV(DbCsvText::new);

    private final Function<SubnetBuilder, TopologyText> reader;

    Format(Function<SubnetBuilder, TopologyText> reader) {
      this.reader = reader;
    }
  }

  private InfinibandTopology() {}

  /**
   * Reads one text to its end.
   *
   * @return without readings: a sighting for each device, what was left out by which rule, the
   *     lines that were refused as problems, oddities as remarks
   * @throws IOException where the stream fails; what the text can do wrong is in the outcome
   */
  public static CollectOutcome read(Format format, InputStream in) throws IOException {
    Subnet subnet = subnet(format, in);
    SubnetSightings seen = new SubnetSightings(subnet, new SubnetNames(subnet));
    return new CollectOutcome(
        List.of(),
        seen.sightings(),
        List.of(),
        seen.leftOut(),
        subnet.refusals().problems(),
        subnet.remarks());
  }

  static Subnet subnet(Format format, InputStream in) throws IOException {
    SubnetBuilder builder = new SubnetBuilder();
    TopologyText text = format.reader.apply(builder);
    TextReader.read(in, text::line, builder.refusals());
    text.end();
    return builder.build();
  }
}
