package io.fabrichealth.collective;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rank of a running job said when it was asked.
 *
 * @param recorders one a backend, in the same order each time; empty where it did not answer
 * @param problem why it did not answer, or not wholly; null where it did
 */
public record RankAnswer(int rank, List<FlightRecorder> recorders, @Nullable String problem) {
  public RankAnswer {
    recorders = List.copyOf(recorders);
  }
}
