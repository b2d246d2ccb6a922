package io.fabrichealth.api;

import io.fabrichealth.api.ReadingsView.Refused;
import java.util.List;

/**
 * What became of samples that were sent.
 *
 * @param samples that were taken
 * @param refusedCount what was not taken: samples, or fields of them
 * @param refused the first of them
 */
record LatencySamplesView(int samples, int refusedCount, List<Refused> refused) {
  LatencySamplesView {
    refused = List.copyOf(refused);
  }
}
