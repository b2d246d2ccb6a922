package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.runtime.CoverageMatrix.Cell;
import io.fabrichealth.runtime.CoverageMatrix.State;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CoverageMatrixTest {
  /** Ordinals 0 and 1 are of one family, 2 of another. */
  private static final SignalDictionary DICTIONARY =
      new SignalDictionary(List.of(signal("fec.a"), signal("fec.b"), signal("optics.a")));

  private final Map<PortId, PortReadings> readings = new HashMap<>();
  private final Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));

  @Test
  void a_family_is_read_where_all_that_is_there_is() {
    put("1", Quality.OK, null, null);
    put("2", Quality.OK, Quality.OK, null);

    assertThat(cell("fec")).isEqualTo(cell("fec", State.READ, Map.of(State.READ, 2)));
    assertThat(cell("optics"))
        .isEqualTo(cell("optics", State.UNSUPPORTED, Map.of(State.UNSUPPORTED, 2)));
  }

  @Test
  void it_is_partly_read_where_some_of_what_is_there_is() {
    put("1", Quality.OK, Quality.UNREADABLE, null);
    put("2", Quality.OK, Quality.STALE, null);
    put("3", Quality.OK, Quality.UNSUPPORTED, null);

    assertThat(cell("fec"))
        .isEqualTo(cell("fec", State.PARTLY, Map.of(State.PARTLY, 2, State.READ, 1)));
  }

  @Test
  void it_is_stale_where_nothing_was_read_lately_and_unreadable_where_nothing_ever_was() {
    put("1", Quality.STALE, Quality.UNREADABLE, Quality.UNREADABLE);

    assertThat(cell("fec")).isEqualTo(cell("fec", State.STALE, Map.of(State.STALE, 1)));
    assertThat(cell("optics"))
        .isEqualTo(cell("optics", State.UNREADABLE, Map.of(State.UNREADABLE, 1)));
  }

  @Test
  void ports_without_the_family_do_not_lower_the_state_of_the_device() {
    put("1", Quality.OK, Quality.OK, Quality.OK);
    put("copper", Quality.OK, Quality.OK, null);

    assertThat(cell("optics"))
        .isEqualTo(cell("optics", State.READ, Map.of(State.READ, 1, State.UNSUPPORTED, 1)));
  }

  @Test
  void a_port_that_nobody_reads_is_not_one_without_the_family() {
    put("1", Quality.OK, Quality.OK, null);
    fabric.port(Port.of(new PortId("leaf1", "2")));

    assertThat(cell("fec"))
        .isEqualTo(cell("fec", State.READ, Map.of(State.READ, 1, State.UNREAD, 1)));
    assertThat(cell("optics"))
        .isEqualTo(
            cell("optics", State.UNSUPPORTED, Map.of(State.UNSUPPORTED, 1, State.UNREAD, 1)));
  }

  @Test
  void a_device_of_which_nothing_is_read_has_all_families_unread() {
    assertThat(cells()).hasSize(2).allMatch(cell -> cell.state() == State.UNREAD);
  }

  @Test
  void signals_of_the_device_itself_make_no_port() {
    put("", null, null, Quality.OK);
    put("1", Quality.OK, null, null);

    assertThat(cell("fec")).isEqualTo(cell("fec", State.READ, Map.of(State.READ, 1)));
    assertThat(cell("optics").state()).isEqualTo(State.READ);
  }

  private List<Cell> cells() {
    return new CoverageMatrix(DICTIONARY).of(fabric.build(), readings);
  }

  private Cell cell(String family) {
    return cells().stream().filter(cell -> cell.family().equals(family)).findFirst().orElseThrow();
  }

  private static Cell cell(String family, State state, Map<State, Integer> ports) {
    return new Cell("leaf1", family, state, ports);
  }

  /**
   * @param qualities by signal; null where it was never read, {@code OK} where it was read last
   */
  private void put(String port, @Nullable Quality... qualities) {
    PortId id = new PortId("leaf1", port);
    readings.put(id, new Fake(id, qualities));
  }

  private static Signal signal(String id) {
    return new Signal(id, "1", Signal.Kind.COUNTER, Signal.Scope.PORT, 64, Signal.AtEnd.WRAPS);
  }

  private record Fake(PortId port, @Nullable Quality... qualities) implements PortReadings {

    @Override
    public String collector() {
      return "fake";
    }

    @Override
    public long timeNanos() {
      return 0;
    }

    @Override
    public long readNanos() {
      return 0;
    }

    @Override
    public int elements(int signal) {
      return qualities[signal] == null ? 0 : 1;
    }

    @Override
    public boolean isFresh(int signal) {
      return qualities[signal] == Quality.OK;
    }

    @Override
    public Quality quality(int signal, int element) {
      Quality quality = qualities[signal];
      return quality == null ? Quality.UNSUPPORTED : quality;
    }

    @Override
    public @Nullable String reason(int signal, int element) {
      return null;
    }

    @Override
    public double value(int signal, int element) {
      return Double.NaN;
    }

    @Override
    public long raw(int signal, int element) {
      return 0;
    }

    @Override
    public long total(int signal, int element) {
      return 0;
    }
  }
}
