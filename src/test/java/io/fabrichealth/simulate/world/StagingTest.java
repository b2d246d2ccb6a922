package io.fabrichealth.simulate.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StagingTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  @ParameterizedTest(name = "class {0}, {1}, {2}")
  @MethodSource("all")
  void every_class_runs_and_tells_the_truth(int faultClass, Severity severity, Flavour flavour) {
    Scenario scenario =
        Scenario.of("F1-part", faultClass, severity, 11 + severity.ordinal())
            .with(Duration.ofMinutes(20), Duration.ofSeconds(30))
            .with(flavour);
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    Instant end = scenario.start().plus(scenario.length());
    long polls = 0;
    for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
      polls += input instanceof EngineInput.Poll ? 1 : 0;
    }

    Truth truth = simulation.truth();
    assertThat(polls).isBetween(1000L, 2000L);
    assertThat(truth.faults().size() + truth.confounders().size()).isPositive();
    assertThat(truth.faults())
        .allSatisfy(
            fault -> {
              assertThat(fault.onset()).isBetween(scenario.start(), end);
              assertThat(fault.observableFrom()).isAfter(fault.onset());
              assertThat(fault.acceptedCauses()).contains(fault.cause());
              assertThat(fault.subject().id()).isNotEmpty();
            });
    assertThat(truth.confounders())
        .allSatisfy(confounder -> assertThat(confounder.from()).isBefore(confounder.to()));
  }

  static Stream<Arguments> all() {
    return IntStream.rangeClosed(0, 25)
        .boxed()
        .flatMap(
            faultClass ->
                Stream.of(Severity.values())
                    .flatMap(
                        severity ->
                            flavours(faultClass)
                                .map(flavour -> Arguments.of(faultClass, severity, flavour))));
  }

  /** Retransmission by the link is InfiniBand's alone, whose ports do not tell their MTU. */
  private static Stream<Flavour> flavours(int faultClass) {
    return switch (faultClass) {
      case 10 -> Stream.of(Flavour.ROCE);
      case 20 -> Stream.of(Flavour.INFINIBAND);
      default -> Stream.of(Flavour.values());
    };
  }
}
