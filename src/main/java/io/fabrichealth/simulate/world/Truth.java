package io.fabrichealth.simulate.world;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What really happens in a simulated fabric. No reader of captures may open it but who scores them.
 *
 * @param faultClass of the benchmark; 0 where nothing happens
 * @param hard whether the hardest confounder of the class stands beside the fault
 * @param links of the fabric
 * @param records of the capture; 0 until it is written
 */
public record Truth(
    long seed,
    @JsonProperty("class") int faultClass,
    String className,
    String severity,
    boolean hard,
    String fabric,
    String flavour,
    int links,
    double seconds,
    double pollSeconds,
    long records,
    List<Fault> faults,
    List<Confounder> confounders) {

  public Truth {
    faults = List.copyOf(faults);
    confounders = List.copyOf(confounders);
  }

  /**
   * An entity.
   *
   * @param type {@code link}, {@code port}, {@code switch}, {@code host}, {@code route}, ...
   * @param id as subjects of the capture format have it
   */
  public record Subject(String type, String id) {}

  /**
   * Something that is wrong.
   *
   * @param cause of incidents
   * @param members all else that the fault touches
   * @param onset when it begins
   * @param observableFrom from when on what is polled can tell it
   * @param end null where it lasts to the end of the run
   * @param acceptedCauses causes that are as right
   * @param aliases other subjects that are the same thing
   */
  public record Fault(
      String id,
      @JsonProperty("class") int faultClass,
      String cause,
      Subject subject,
      List<Subject> members,
      Instant onset,
      Instant observableFrom,
      @Nullable Instant end,
      String severity,
      Map<String, Object> parameters,
      List<String> acceptedCauses,
      List<Subject> aliases) {

    public Fault {
      members = List.copyOf(members);
      parameters = Map.copyOf(parameters);
      acceptedCauses = List.copyOf(acceptedCauses);
      aliases = List.copyOf(aliases);
    }
  }

  /**
   * Something that looks odd and is no fault.
   *
   * @param allowedCauses that an incident may name there without being wrong
   */
  public record Confounder(
      @JsonProperty("class") int faultClass,
      Subject subject,
      Instant from,
      Instant to,
      String note,
      List<String> allowedCauses) {

    public Confounder {
      allowedCauses = List.copyOf(allowedCauses);
    }
  }

  Truth withRecords(long written) {
    return new Truth(
        seed,
        faultClass,
        className,
        severity,
        hard,
        fabric,
        flavour,
        links,
        seconds,
        pollSeconds,
        written,
        faults,
        confounders);
  }
}
