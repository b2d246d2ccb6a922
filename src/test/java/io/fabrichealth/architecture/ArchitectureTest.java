package io.fabrichealth.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.fabrichealth.runtime.ClockConfiguration;
import jakarta.persistence.Entity;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "io.fabrichealth", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String BASE = "io.fabrichealth.";

  @ArchTest
  static final ArchRule the_core_is_pure =
      noClasses()
          .that()
          .resideInAnyPackage(
              BASE + "engine..",
              BASE + "verdict..",
              BASE + "detect..",
              BASE + "latency..",
              BASE + "collective..",
              BASE + "finding..",
              BASE + "signal..",
              BASE + "topology..")
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework..",
              "jakarta..",
              "java.net..",
              "java.sql..",
              "java.util.logging..",
              "org.slf4j..",
              "org.apache.kafka..",
              "com.fasterxml..",
              "tools.jackson..")
          .because("the core is a function of state and input");

  @ArchTest
  static final ArchRule one_place_asks_the_system_for_the_time =
      noClasses()
          .that()
          .doNotBelongToAnyOf(ClockConfiguration.class)
          .should()
          .callMethodWhere(target(name("now")).and(target(withoutClock())))
          .orShould()
          .callMethodWhere(
              target(owner(JavaClass.Predicates.assignableTo(InstantSource.class)))
                  .and(target(nameMatching("system.*"))))
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callConstructor(java.util.Date.class);

  @ArchTest
  static final ArchRule chance_has_a_seed =
      noClasses()
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocalRandom.class)
          .orShould()
          .callConstructor(Random.class)
          .orShould()
          .callMethod(RandomGenerator.class, "getDefault");

  @ArchTest
  static final ArchRule snmp_is_known_to_its_collector_and_the_demo =
      noClasses()
          .that()
          .resideOutsideOfPackages(BASE + "collect.snmp..", BASE + "simulate..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.snmp4j..");

  @ArchTest
  static final ArchRule grpc_is_known_to_the_gnmi_collector =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              BASE + "collect.gnmi..", BASE + "simulate..", "com.github.gnmi.proto..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.grpc..", "com.github.gnmi.proto..");

  @ArchTest
  static final ArchRule the_prometheus_client_is_known_to_metrics =
      noClasses()
          .that()
          .resideOutsideOfPackage(BASE + "metrics..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.prometheus..");

  @ArchTest
  static final ArchRule the_simulator_does_not_know_what_finds_it =
      noClasses()
          .that()
          .resideInAPackage(BASE + "simulate..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      BASE + "detect..", BASE + "verdict..", BASE + "finding..", BASE + "engine..")
                  .and(DescribedPredicate.not(nameMatching(".*\\.EngineInput(\\$.*)?"))))
          .because("of the engine it knows its inputs alone, and of detection no formula");

  @ArchTest
  static final ArchRule types_of_the_api_say_what_they_are =
      classes()
          .that()
          .resideInAPackage(BASE + "api..")
          .and()
          .areTopLevelClasses()
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .haveNameMatching(".*(View|Request|Controller|Problem|Problems)");

  @ArchTest
  static final ArchRule controllers_answer_no_entity =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .areAnnotatedWith(RestController.class)
          .should()
          .notHaveRawReturnType(
              DescribedPredicate.describe(
                  "an entity", (JavaClass type) -> type.isAnnotatedWith(Entity.class)));

  @ArchTest
  static final ArchRule entities_stay_with_their_owner =
      classes()
          .that()
          .areAnnotatedWith(Entity.class)
          .should()
          .resideInAnyPackage(BASE + "*.internal..", BASE + "store..")
          .andShould()
          .notBePublic();

  @ArchTest
  static final ArchRule settings_are_records =
      classes()
          .that()
          .areAnnotatedWith(ConfigurationProperties.class)
          .should()
          .beRecords()
          .allowEmptyShould(false);

  @ArchTest
  static final ArchRule names_say_what_a_thing_is =
      noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl|Dto)");

  @ArchTest
  static final ArchRule nothing_is_injected_into_fields =
      noFields()
          .should()
          .beAnnotatedWith(Autowired.class)
          .orShould()
          .beAnnotatedWith(Value.class)
          .orShould()
          .beAnnotatedWith(jakarta.annotation.Resource.class)
          .orShould()
          .beAnnotatedWith("jakarta.inject.Inject")
          .orShould()
          .beAnnotatedWith("jakarta.persistence.PersistenceContext");

  @ArchTest
  static final ArchRule loggers_are_alike =
      fields()
          .that()
          .haveRawType(Logger.class)
          .should()
          .bePrivate()
          .andShould()
          .beStatic()
          .andShould()
          .beFinal()
          .andShould()
          .haveName("log");

  /** A method named {@code now} of {@code java.time} that is not given a clock. */
  private static DescribedPredicate<AccessTarget.CodeUnitCallTarget> withoutClock() {
    return DescribedPredicate.describe(
        "of java.time without a clock",
        called ->
            resideInAnyPackage("java.time..").test(called.getOwner())
                && called.getRawParameterTypes().stream()
                    .noneMatch(type -> type.isEquivalentTo(Clock.class)));
  }
}
