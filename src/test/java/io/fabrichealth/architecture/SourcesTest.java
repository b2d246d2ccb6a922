package io.fabrichealth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fabrichealth.detect.Detector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules on the sources as text, and on what must stand beside a class. */
class SourcesTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path TEST = Path.of("src/test/java");
  private static final int MOST_LINES = 600;
  private static final int LARGEST_MEDIAN = 4_000;

  @Test
  void no_file_is_longer_than_600_lines() throws IOException {
    List<String> long_ones = new ArrayList<>();
    for (Path file : files(Path.of("src"))) {
      if (file.toString().matches(".*\\.(java|yaml|sql|sh)")) {
        long lines = Files.readString(file).lines().count();
        if (lines > MOST_LINES) {
          long_ones.add(file + ": " + lines);
        }
      }
    }
    assertThat(long_ones).isEmpty();
  }

  @Test
  void half_of_the_files_are_smaller_than_4_kilobytes() throws IOException {
    long[] sizes =
        files(MAIN).stream().mapToLong(file -> file.toFile().length()).sorted().toArray();
    assertThat(sizes[sizes.length / 2]).isLessThanOrEqualTo(LARGEST_MEDIAN);
  }

  @Test
  void every_package_is_null_marked() throws IOException {
    List<String> unmarked = new ArrayList<>();
    for (Path folder : files(MAIN).stream().map(Path::getParent).distinct().toList()) {
      Path info = folder.resolve("package-info.java");
      if (!Files.exists(info) || !Files.readString(info).contains("@NullMarked")) {
        unmarked.add(folder.toString());
      }
    }
    assertThat(unmarked).isEmpty();
  }

  @Test
  void nothing_is_left_to_be_done() throws IOException {
    List<String> left = new ArrayList<>();
    for (Path file : files(MAIN)) {
      Files.readString(file)
          .lines()
          .filter(line -> line.matches(".*\\b(TO" + "DO|FIX" + "ME|XXX)\\b.*"))
          .forEach(line -> left.add(file + ": " + line.strip()));
    }
    assertThat(left).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("detectors")
  void a_detector_has_its_test(Class<?> detector) {
    Path test = TEST.resolve(detector.getName().replace('.', '/') + "Test.java");

    assertThat(test).exists();
  }

  @ParameterizedTest
  @MethodSource("detectors")
  void a_detector_says_what_it_does_in_the_fixed_shape(Class<?> detector) throws IOException {
    String source = Files.readString(MAIN.resolve(detector.getName().replace('.', '/') + ".java"));
    String text = source.replaceAll("[\\s*]+", " ").toLowerCase(java.util.Locale.ROOT);

    assertThat(text)
        .contains("catches")
        .contains("compares")
        .contains("silent")
        .contains("clears")
        .contains("source");
  }

  static Stream<Class<?>> detectors() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackagesOf(Detector.class)
            .stream()
            .filter(type -> type.isAssignableTo(Detector.class))
            .filter(type -> !type.isInterface())
            .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
            .map(JavaClass::reflect);
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
