package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Encoding;
import io.fabrichealth.collect.gnmi.Leaf.Content;
import io.fabrichealth.collect.gnmi.Leaf.Of;
import io.fabrichealth.collect.gnmi.SubscribedPath.Mode;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks the files of a profile against the dictionary and makes one {@link Profile} of them. */
final class ProfileCompiler {
  private static final List<Encoding> DEFAULT_ENCODINGS =
      List.of(Encoding.PROTO, Encoding.JSON_IETF, Encoding.JSON);

  private final String profile;
  private final SignalDictionary dictionary;
  private final List<Encoding> encodings = new ArrayList<>();
  private final List<SubscribedPath> paths = new ArrayList<>();
  private final List<Leaf> leaves = new ArrayList<>();
  private final Map<Integer, List<MappedReading>> readings = new TreeMap<>();
  private final Map<String, Map<String, Double>> states = new HashMap<>();
  private final List<LeftOutRule> leftOut = new ArrayList<>();
  private final PathNode tree = new PathNode("");
  private String where = "";

  ProfileCompiler(String profile, SignalDictionary dictionary) {
    this.profile = profile;
    this.dictionary = dictionary;
  }

  /**
   * Adds a file; the first one's encodings hold.
   *
   * @throws IllegalArgumentException where an entry does not hold what is expected
   */
  void add(String file, ProfileFile content) {
    where = file;
    if (encodings.isEmpty()) {
      for (String encoding : orEmpty(content.encodings())) {
        encodings.add(oneOf(Encoding.values(), encoding, "encodings"));
      }
    }
    if (content.states() != null) {
      content.states().forEach((name, table) -> states.putIfAbsent(file + " " + name, table));
    }
    for (ProfileFile.Subscription entry : orEmpty(content.subscriptions())) {
      where = file + ": subscriptions: " + entry.path();
      subscription(file, entry);
    }
    for (ProfileFile.LeftOut rule : orEmpty(content.leftOut())) {
      where = file + ": left_out: " + rule.name();
      leftOut.add(rule(rule));
    }
  }

  Profile compile() {
    List<MappedSignal> signals = new ArrayList<>();
    readings.forEach(
        (ordinal, unsorted) -> {
          List<MappedReading> sorted = new ArrayList<>(unsorted);
          sorted.sort(Comparator.comparingInt(MappedReading::rank));
          signals.add(new MappedSignal(ordinal, dictionary.signal(ordinal), sorted));
        });
    return new Profile(
        profile,
        encodings.isEmpty() ? DEFAULT_ENCODINGS : encodings,
        paths,
        leaves,
        signals,
        leftOut,
        tree);
  }

  private void subscription(String file, ProfileFile.Subscription entry) {
    PathPattern path = pattern(required(entry.path(), "path"));
    String target = entry.target() == null ? "" : entry.target();
    String origin = entry.origin() == null ? "" : entry.origin();
    Mode mode = oneOf(Mode.values(), required(entry.mode(), "mode"), "mode");
    Sure sure = oneOf(Sure.values(), required(entry.sure(), "sure"), "sure");
    int index = paths.size();
    SubscribedPath subscribed =
        new SubscribedPath(
            index, String.valueOf(entry.path()), path.asked(), target, origin, mode, sure);
    for (SubscribedPath other : paths) {
      if (other.path().equals(subscribed.path())
          && other.target().equals(target)
          && other.origin().equals(origin)) {
        throw wrong("is subscribed to twice");
      }
    }
    paths.add(subscribed);
    for (ProfileFile.Reading reading : orEmpty(entry.readings())) {
      reading(file, index, path, reading);
    }
    for (ProfileFile.Fact fact : orEmpty(entry.facts())) {
      FactKind kind = oneOf(FactKind.values(), required(fact.fact(), "fact"), "fact");
      PathPattern pattern = below(path, fact.leaf());
      Of of = kind.isOfNeighbour() ? Of.NEIGHBOUR : of(pattern);
      leaf(pattern, of, Content.FACT, kind, index, 0, Map.of());
    }
  }

  private void reading(String file, int index, PathPattern path, ProfileFile.Reading entry) {
    String id = required(entry.signal(), "signal");
    if (!dictionary.contains(id)) {
      throw wrong("signal '" + id + "' is not in the dictionary");
    }
    int ordinal = dictionary.ordinal(id);
    Signal signal = dictionary.signal(ordinal);
    if (entry.leaf() != null && entry.sum() != null) {
      throw wrong(id + ": leaf and sum exclude each other");
    }
    boolean counter = signal.kind() == Signal.Kind.COUNTER;
    if (counter ? entry.scale() != null : entry.divisor() != null) {
      throw wrong(id + ": scale is for gauges, divisor for counters");
    }
    int divisor = entry.divisor() == null ? 1 : entry.divisor();
    if (divisor < 1) {
      throw wrong(id + ": divisor: expected 1 or more");
    }
    Map<String, Double> meanings = states(file, id, signal, entry.states());
    List<Leaf> parts = new ArrayList<>();
    int first = entry.first() == null ? 0 : entry.first();
    List<PathPattern> patterns =
        entry.sum() == null
            ? List.of(below(path, entry.leaf()))
            : entry.sum().stream().map(leaf -> below(path, leaf)).toList();
    for (PathPattern pattern : patterns) {
      parts.add(
          leaf(
              pattern,
              of(pattern),
              content(id, signal, entry.form()),
              null,
              index,
              first,
              meanings));
    }
    int rank = entry.rank() == null ? 0 : entry.rank();
    double scale = entry.scale() == null ? 1 : entry.scale();
    List<MappedReading> known = readings.computeIfAbsent(ordinal, o -> new ArrayList<>());
    if (known.stream().anyMatch(other -> other.rank() == rank)) {
      throw wrong(id + ": another path gives it with the same rank " + rank);
    }
    known.add(new MappedReading(rank, parts, scale, divisor));
  }

  private Map<String, Double> states(
      String file, String id, Signal signal, @Nullable String table) {
    if ((signal.kind() == Signal.Kind.STATE) != (table != null)) {
      throw wrong(id + ": states are needed for a state, and for nothing else");
    }
    Map<String, Double> meanings = table == null ? Map.of() : states.get(file + " " + table);
    if (meanings == null) {
      throw wrong(id + ": states: the file has no table '" + table + "'");
    }
    return meanings;
  }

  private Content content(String id, Signal signal, @Nullable String form) {
    if (form != null) {
      if (!form.equals("speed") || signal.kind() != Signal.Kind.GAUGE) {
        throw wrong(id + ": form: only 'speed' is known, and only for a gauge");
      }
      return Content.SPEED;
    }
    return switch (signal.kind()) {
      case COUNTER -> Content.COUNTER;
      case GAUGE -> Content.GAUGE;
      case STATE -> Content.STATE;
    };
  }

  private static Of of(PathPattern pattern) {
    return pattern.binds(Variable.PORT)
        ? Of.PORT
        : pattern.binds(Variable.COMPONENT) ? Of.COMPONENT : Of.DEVICE;
  }

  private Leaf leaf(
      PathPattern pattern,
      Of of,
      Content content,
      @Nullable FactKind fact,
      int subscription,
      int first,
      Map<String, Double> meanings) {
    Leaf fresh =
        new Leaf(
            leaves.size(),
            pattern.toString(),
            of,
            content,
            fact,
            subscription,
            pattern.elements(),
            meanings);
    int index;
    try {
      index = tree.add(pattern, 0, first, fresh.index());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (index == fresh.index()) {
      leaves.add(fresh);
      return fresh;
    }
    Leaf known = leaves.get(index);
    if (known.content() != content || known.fact() != fact || !known.states().equals(meanings)) {
      throw wrong("'" + pattern + "' is read as something else by another entry");
    }
    return known;
  }

  private PathPattern below(PathPattern path, @Nullable String leaf) {
    if (leaf == null) {
      return path;
    }
    PathPattern pattern = pattern(leaf);
    return leaf.startsWith("/") ? pattern : path.then(pattern);
  }

  private PathPattern pattern(String text) {
    try {
      return PathPattern.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private LeftOutRule rule(ProfileFile.LeftOut entry) {
    try {
      return new LeftOutRule(
          required(entry.name(), "name"),
          entry.port() == null ? null : Pattern.compile(entry.port()),
          orEmpty(entry.types()));
    } catch (PatternSyntaxException e) {
      throw wrong("port is no regular expression: " + e.getMessage());
    }
  }

  private String required(@Nullable String text, String field) {
    if (text == null || text.isBlank()) {
      throw wrong(field + " is missing");
    }
    return text;
  }

  private <E extends Enum<E>> E oneOf(E[] all, String name, String field) {
    for (E one : all) {
      if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
        return one;
      }
    }
    throw wrong(
        "%s '%s' is none of %s"
            .formatted(field, name, List.of(all).toString().toLowerCase(Locale.ROOT)));
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(where + ": " + what);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
