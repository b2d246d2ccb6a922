package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.smile.SmileMapper;

class DetectorsTest {
  private static final List<Detector<?>> ALL =
      Detectors.standard(DetectorRun.DICTIONARY, ThresholdCatalogue.load()).ports();

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
  void each_that_accuses_a_bad_port_is_silent_two_days_after_it_is_well_again() {
    for (Detector<?> detector : ALL) {
      DetectorRun<?> run = DetectorRun.of(dictionary -> detector);
      run.poll(window -> {});
      run.polls(2, DetectorsTest::bad);
      run.poll(DetectorsTest::down);
      run.poll(DetectorsTest::down);
      run.polls(2, DetectorsTest::bad);

      run.polls(2 * 24 * 360, DetectorsTest::good);

      assertThat(run.findings()).as(detector.id()).isEmpty();
    }
  }

  @Test
  void each_is_silent_two_days_after_the_counters_were_last_read() {
    for (Detector<?> detector : ALL) {
      DetectorRun<?> run = DetectorRun.of(dictionary -> detector);
      run.polls(4, DetectorsTest::bad);
      run.polls(2 * 24 * 360, window -> {});

      assertThat(run.findings()).as(detector.id()).isEmpty();
    }
  }

  private static void down(FakeWindow window) {
    window.down().grow("port.link_downed", 2);
  }

  private static void bad(FakeWindow window) {
    traffic(window)
        .grow("fec.uncorrectable_codewords", 300)
        .grows("fec.corrected_bits", 10, 6e9, 10, 10)
        .gauges("optics.rx_power_dbm", -1, -1, -9, -1)
        .grow("plr.received_code_errors", 1e4)
        .grow("port.in_errors", 1e5)
        .grow("ecn.marked_packets", 1e6)
        .grows("pfc.rx_pause_microseconds", 0, 0, 0, 6e6)
        .grow("port.link_downed", 0);
  }

  private static void good(FakeWindow window) {
    traffic(window)
        .grow("fec.uncorrectable_codewords", 0)
        .grows("fec.corrected_bits", 10, 10, 10, 10)
        .gauges("optics.rx_power_dbm", -1, -1, -1.2, -1)
        .grow("plr.received_code_errors", 0)
        .grow("port.in_errors", 0)
        .grow("ecn.marked_packets", 0)
        .grows("pfc.rx_pause_microseconds", 0, 0, 0, 0)
        .grow("port.link_downed", 0);
  }

  private static FakeWindow traffic(FakeWindow window) {
    return window
        .grow("port.in_packets", 1e7)
        .grow("port.out_packets", 1e7)
        .grow("port.in_octets", 4e10)
        .grow("port.out_octets", 4e10);
  }

  @Test
  void a_dictionary_that_lacks_a_signal_is_refused_by_name() {
    assertThatThrownBy(
            () -> Detectors.standard(new SignalDictionary(List.of()), ThresholdCatalogue.load()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not in the dictionary");
  }
}
