package io.fabrichealth.collect.infiniband;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An InfiniBand subnet that is read by the tools of infiniband-diags, or by their saved output.
 *
 * @param name of the subnet
 * @param interval between two readings of counters
 * @param topologyInterval between two discoveries of the wiring
 * @param timeout for one run of a tool
 * @param source where the output comes from
 */
public record InfinibandTarget(
    String name, Duration interval, Duration topologyInterval, Duration timeout, Source source) {

  /** Where the output of the tools comes from. */
  public sealed interface Source {}

  /**
   * The tools are run here.
   *
   * @param command words before the tool's own, for example {@code sudo -n} or {@code ssh ufm-1};
   *     may be empty
   * @param ca name of the HCA ({@code -C}); null for the first
   * @param caPort its port ({@code -P}); 0 for the first
   */
  public record Tools(List<String> command, @Nullable String ca, int caPort) implements Source {
    public Tools {
      command = List.copyOf(command);
    }
  }

  /**
   * Something else runs the tools and saves what they print; a file is read again when it changes.
   *
   * @param discover of {@code ibnetdiscover}, full or {@code -p}
   * @param counters of {@code perfquery -x} or {@code ibqueryerrors}; may be patterns of one folder
   */
  public record Saved(Path discover, List<Path> counters) implements Source {
    public Saved {
      counters = List.copyOf(counters);
    }
  }
}
