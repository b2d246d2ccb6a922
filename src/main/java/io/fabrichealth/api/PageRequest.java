package io.fabrichealth.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where in a list a page begins and how long it is.
 *
 * <p>A list is in the order of a key, then of an id. A cursor holds key and id of the last item
 * that was given, so that what comes and goes between two calls neither repeats nor hides another
 * item. It also holds a digest of the filters, because it means nothing for others.
 *
 * @param limit 1 to {@link #LARGEST}
 * @param filters what the list is restricted to and how it is sorted
 */
record PageRequest(int limit, @Nullable String cursor, String filters) {
  static final int LARGEST = 1000;
  static final int USUAL = 100;
  static final String LIMIT_MESSAGE = "must be 1 to 1000";

  private static final int DIGEST_LENGTH = 16;

  static PageRequest of(@Nullable Integer limit, @Nullable String cursor, String filters) {
    return new PageRequest(limit == null ? USUAL : limit, cursor, filters);
  }

  /** Whether a filter lets the value through; one that is not given does not restrict. */
  static <T> boolean allows(@Nullable Set<T> filter, @Nullable T value) {
    return filter == null || filter.isEmpty() || (value != null && filter.contains(value));
  }

  /** An item and what it is sorted by. */
  record Row<T>(long key, String id, T item) {}

  <T, V> PageView<V> page(Stream<Row<T>> rows, boolean descending, Function<T, V> view) {
    Comparator<Row<?>> byKey = Comparator.comparingLong(Row::key);
    Comparator<Row<?>> order =
        (descending ? byKey.reversed() : byKey).thenComparing(Row::id, Comparator.naturalOrder());
    Row<?> last = cursor == null ? null : decode(cursor);
    List<Row<T>> rest =
        rows.filter(row -> last == null || order.compare(row, last) > 0)
            .sorted(order)
            .limit(limit + 1L)
            .toList();
    List<Row<T>> given = rest.subList(0, Math.min(limit, rest.size()));
    return new PageView<>(
        given.stream().map(row -> view.apply(row.item())).toList(),
        rest.size() > limit ? encode(given.getLast()) : null);
  }

  private String encode(Row<?> row) {
    String position = Long.toString(row.key()) + ' ' + row.id();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((digest(position) + position).getBytes(UTF_8));
  }

  private Row<?> decode(String given) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(given), UTF_8);
      String position = text.substring(DIGEST_LENGTH);
      int blank = position.indexOf(' ');
      Row<?> row =
          new Row<>(
              Long.parseLong(position.substring(0, blank)), position.substring(blank + 1), "");
      if (encode(row).equals(given)) {
        return row;
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // Not even of the form: answered like any other cursor that is not ours.
    }
    throw ApiProblem.invalidCursor(given);
  }

  private String digest(String position) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest((filters + '\n' + position).getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_LENGTH / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
