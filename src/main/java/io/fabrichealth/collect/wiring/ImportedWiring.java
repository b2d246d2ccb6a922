package io.fabrichealth.collect.wiring;

import io.fabrichealth.topology.Fabric;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a document says of the wiring.
 *
 * @param fabric devices, ports and links that could be read
 * @param refused rows that could not, at most {@link #MOST_REFUSED}
 * @param remarks what the document does not say or was left out on purpose, for people
 */
public record ImportedWiring(Fabric fabric, List<Refused> refused, List<String> remarks) {
  /** More are counted in the remarks. */
  public static final int MOST_REFUSED = 1_000;

  public ImportedWiring {
    refused = List.copyOf(refused);
    remarks = List.copyOf(remarks);
  }

  /**
   * A row that was not taken.
   *
   * @param line from 1; 0 where the document has no lines
   * @param field what is wrong; null where it is the row
   */
  public record Refused(int line, @Nullable String field, String problem) {}
}
