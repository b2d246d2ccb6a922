package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.smile.SmileMapper;

class DetectorsTest {
  private static final List<Detector<?>> ALL = Detectors.standard(DetectorRun.DICTIONARY);

  @Test
  void ids_are_unique_kebab_case_and_in_order() {
    assertThat(ALL)
        .extracting(Detector::id)
        .doesNotHaveDuplicates()
        .isSorted()
        .allMatch(id -> id.matches("[a-z]+(-[a-z]+)*"));
  }

  @Test
  void every_state_can_be_stored_and_read_back() {
    SmileMapper mapper = SmileMapper.builder().build();
    for (Detector<?> detector : ALL) {
      DetectorRun<?> run = DetectorRun.of(dictionary -> detector);
      run.polls(
          3,
          window ->
              window
                  .grow("port.link_downed", 1)
                  .grow("fec.uncorrectable_codewords", 3)
                  .grows("fec.corrected_bits", 5, 6e9, 7, 8)
                  .grow("port.out_packets", 1e6)
                  .grow("ecn.marked_packets", 1e5));
      byte[] stored = mapper.writeValueAsBytes(run.state());
      Object read = mapper.readValue(stored, detector.stateType());

      assertThat(read).usingRecursiveComparison().isEqualTo(run.state());
    }
  }

  @Test
  void a_dictionary_that_lacks_a_signal_is_refused_by_name() {
    assertThatThrownBy(() -> Detectors.standard(new SignalDictionary(List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not in the dictionary");
  }
}
