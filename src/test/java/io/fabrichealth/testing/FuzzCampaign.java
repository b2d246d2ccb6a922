package io.fabrichealth.testing;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Fuzzes every {@code @FuzzTest} of the project for a while, each in a JVM of its own: the fuzzer
 * takes one method a process. Writes how many inputs each one tried; an input that breaks one is
 * kept under {@code target/fuzz}, to be put beside the test as part of its corpus.
 */
public final class FuzzCampaign {
  private static final Path CLASSES = Path.of("target", "test-classes");
  private static final Path FOUND = Path.of("target", "fuzz");
  private static final Path CORPUS = Path.of("src", "test", "resources");
  private static final Pattern EXECUTIONS =
      Pattern.compile("stat::number_of_executed_units: *(\\d+)");

  private record Result(Method test, long executions, int exitCode, String lastLines) {}

  private FuzzCampaign() {}

  /**
   * @param arguments seconds for each test, and optionally a part of the names of those to run
   */
  public static void main(String[] arguments) throws Exception {
    long seconds = Long.parseLong(arguments[0]);
    String part = arguments.length > 1 ? arguments[1] : "";
    List<Method> tests = tests().stream().filter(test -> name(test).contains(part)).toList();
    int atOnce = Math.max(1, Runtime.getRuntime().availableProcessors());
    System.err.printf(
        "%d fuzz tests of %d s, %d at once: about %d s%n",
        tests.size(),
        seconds,
        atOnce,
        Duration.ofSeconds((seconds + 10) * ((tests.size() + atOnce - 1) / atOnce)).toSeconds());
    List<Result> results = run(tests, seconds, atOnce);
    long all = 0;
    boolean isBroken = tests.isEmpty();
    for (Result result : results) {
      all += result.executions();
      System.out.printf(
          Locale.ROOT,
          "%-90s %,14d executions%s%n",
          name(result.test()),
          result.executions(),
          result.exitCode() == 0 ? "" : "  FAILED");
      if (result.exitCode() != 0) {
        isBroken = true;
        System.out.println(result.lastLines());
      }
    }
    System.out.printf(Locale.ROOT, "%,d executions of %d tests%n", all, results.size());
    System.exit(isBroken ? 1 : 0);
  }

  private static List<Result> run(List<Method> tests, long seconds, int atOnce)
      throws InterruptedException, ExecutionException {
    try (ExecutorService pool = Executors.newFixedThreadPool(atOnce)) {
      List<Future<Result>> running = new ArrayList<>();
      for (Method test : tests) {
        running.add(pool.submit(() -> fuzz(test, seconds)));
      }
      List<Result> results = new ArrayList<>();
      for (Future<Result> result : running) {
        results.add(result.get());
      }
      return results;
    }
  }

  private static Result fuzz(Method test, long seconds) throws Exception {
    Path found = Files.createDirectories(FOUND.resolve(name(test)));
    Path seeds =
        CORPUS
            .resolve(test.getDeclaringClass().getName().replace('.', File.separatorChar) + "Inputs")
            .resolve(test.getName());
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+EnableDynamicAgentLoading",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + test.getDeclaringClass().getName(),
                "--target_method=" + test.getName(),
                "--instrumentation_includes=io.fabrichealth.**",
                "--reproducer_path=" + found,
                "-artifact_prefix=" + found + File.separator,
                "-max_total_time=" + seconds,
                "-print_final_stats=1",
                found.toString()));
    if (Files.isDirectory(seeds)) {
      command.add(seeds.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Deque<String> last = new ArrayDeque<>();
    long executions = 0;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher counted = EXECUTIONS.matcher(line);
        executions = counted.find() ? Long.parseLong(counted.group(1)) : executions;
        last.add(line);
        if (last.size() > 40) {
          last.remove();
        }
      }
    }
    int exitCode = process.waitFor();
    System.err.printf(
        "%s %s, %d executions%n", name(test), exitCode == 0 ? "held" : "BROKE", executions);
    // A fuzzer that ran nothing proves nothing.
    return new Result(
        test, executions, exitCode == 0 && executions == 0 ? 1 : exitCode, String.join("\n", last));
  }

  private static List<Method> tests() throws IOException, ClassNotFoundException {
    List<Method> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(path -> path.toString().endsWith("FuzzTest.class")).toList()) {
        String name = CLASSES.relativize(file).toString().replace(File.separatorChar, '.');
        Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(FuzzTest.class))
            .forEach(tests::add);
      }
    }
    tests.sort(Comparator.comparing(FuzzCampaign::name));
    return tests;
  }

  private static String name(Method test) {
    return test.getDeclaringClass().getName() + "." + test.getName();
  }
}
