package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds where members of a group disagree about what they do together. Who is in the minority is
 * wrong; in a group of two the other groups of the kind decide, then what the group did before.
 */
final class Mismatches {
  private static final int SEARCHED = 64;

  private final Matching matching;
  private final Signatures signatures;
  private final Map<MatchedGroup, Row[]> rows = new HashMap<>();

  /** What one member called, by number: coalesced operations are one. */
  private record Row(long[] sequences, int[] calls) {
    int find(long sequence) {
      int at = Arrays.binarySearch(sequences, sequence);
      return at < 0 ? -1 : calls[at];
    }
  }

  private static final Row NONE = new Row(new long[0], new int[0]);

  private Mismatches(Matching matching, Signatures signatures) {
    this.matching = matching;
    this.signatures = signatures;
  }

  static List<Mismatch> in(Matching matching, Signatures signatures) {
    Mismatches search = new Mismatches(matching, signatures);
    List<Mismatch> found = new ArrayList<>();
    for (MatchedGroup group : matching.groups()) {
      found.addAll(search.in(group));
    }
    return found;
  }

  private List<Mismatch> in(MatchedGroup group) {
    Row[] of = rows(group);
    NavigableSet<Long> suspicious = new TreeSet<>();
    Row before = NONE;
    for (Row row : of) {
      if (row.sequences().length > 0) {
        compare(before, row, suspicious);
        before = row;
      }
    }
    Map<NavigableSet<Integer>, Mismatch> found = new LinkedHashMap<>();
    for (long sequence : suspicious) {
      Mismatch mismatch = vote(group, sequence);
      if (mismatch != null) {
        found.merge(mismatch.culprits(), mismatch, (first, again) -> first.again());
      }
    }
    return List.copyOf(found.values());
  }

  private static void compare(Row one, Row other, NavigableSet<Long> suspicious) {
    int at = 0;
    int beside = 0;
    while (at < one.sequences().length
        && beside < other.sequences().length
        && suspicious.size() < SEARCHED) {
      long difference = one.sequences()[at] - other.sequences()[beside];
      if (difference == 0 && one.calls()[at] != other.calls()[beside]) {
        suspicious.add(one.sequences()[at]);
      }
      at += difference <= 0 ? 1 : 0;
      beside += difference >= 0 ? 1 : 0;
    }
  }

  private @Nullable Mismatch vote(MatchedGroup group, long sequence) {
    Map<Integer, NavigableSet<Integer>> votes = new TreeMap<>();
    Row[] of = rows(group);
    for (int member = 0; member < of.length; member++) {
      int call = of[member].find(sequence);
      if (call >= 0) {
        votes.computeIfAbsent(call, key -> new TreeSet<>()).add(group.members()[member]);
      }
    }
    if (votes.size() < 2) {
      return null;
    }
    int most = votes.values().stream().mapToInt(NavigableSet::size).max().orElse(0);
    List<Integer> leading =
        votes.keySet().stream()
            .filter(call -> votes.getOrDefault(call, EMPTY).size() == most)
            .toList();
    int usual = leading.size() == 1 ? leading.getFirst() : decide(group, sequence, leading);
    boolean isDecided = usual >= 0;
    NavigableSet<Integer> culprits = new TreeSet<>();
    int right = isDecided ? usual : leading.getFirst();
    int wrong = -1;
    for (Map.Entry<Integer, NavigableSet<Integer>> vote : votes.entrySet()) {
      if (vote.getKey() != right) {
        wrong = wrong < 0 ? vote.getKey() : wrong;
        culprits.addAll(vote.getValue());
      } else if (!isDecided) {
        culprits.addAll(vote.getValue());
      }
    }
    return new Mismatch(
        group,
        sequence,
        1,
        culprits,
        isDecided,
        signatures.signature(right),
        signatures.signature(wrong));
  }

  private static final NavigableSet<Integer> EMPTY = new TreeSet<>();

  /** Among calls of equal many members the one that others of the kind make; -1 where none is. */
  private int decide(MatchedGroup group, long sequence, List<Integer> leading) {
    int bySiblings = preferred(leading, siblings(group, sequence));
    return bySiblings >= 0 ? bySiblings : preferred(leading, history(group, sequence));
  }

  private static int preferred(List<Integer> leading, Map<Integer, Integer> counts) {
    int best = -1;
    int most = 0;
    boolean isTied = false;
    for (int call : leading) {
      int count = counts.getOrDefault(call, 0);
      isTied = count == most || (count < most && isTied);
      if (count > most) {
        most = count;
        best = call;
      }
    }
    return isTied ? -1 : best;
  }

  private Map<Integer, Integer> siblings(MatchedGroup group, long sequence) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (MatchedGroup other : matching.groups()) {
      if (other != group && other.description().equals(group.description())) {
        for (Row row : rows(other)) {
          int call = row.find(sequence);
          if (call >= 0) {
            counts.merge(call, 1, Integer::sum);
          }
        }
      }
    }
    return counts;
  }

  private Map<Integer, Integer> history(MatchedGroup group, long sequence) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (Row row : rows(group)) {
      for (int at = 0; at < row.calls().length; at++) {
        if (row.sequences()[at] != sequence) {
          counts.merge(row.calls()[at], 1, Integer::sum);
        }
      }
    }
    return counts;
  }

  private Row[] rows(MatchedGroup group) {
    return rows.computeIfAbsent(
        group,
        key -> {
          Row[] read = new Row[group.size()];
          for (int member = 0; member < read.length; member++) {
            MatchedGroup.Track track = group.track(member);
            read[member] = track == null ? NONE : row(track);
          }
          return read;
        });
  }

  private Row row(MatchedGroup.Track track) {
    FlightRecorder recorder = track.recorder();
    int from = 0;
    if (isCoalesced(track) && recorder.recordId(0) != 0) {
      // The oldest number in a ring may have lost some of its operations.
      while (from < track.size() && track.sequence(from) == track.first()) {
        from++;
      }
    }
    int[] numbers = signatures.all(recorder);
    long[] sequences = new long[track.size() - from];
    int[] calls = new int[sequences.length];
    int size = 0;
    for (int at = from; at < track.size(); at++) {
      int call = numbers[recorder.operationIndex(track.entry(at))];
      if (size > 0 && sequences[size - 1] == track.sequence(at)) {
        calls[size - 1] = signatures.together(calls[size - 1], call);
      } else {
        sequences[size] = track.sequence(at);
        calls[size++] = call;
      }
    }
    return new Row(Arrays.copyOf(sequences, size), Arrays.copyOf(calls, size));
  }

  private static boolean isCoalesced(MatchedGroup.Track track) {
    for (int at = 1; at < track.size(); at++) {
      if (track.sequence(at) == track.sequence(at - 1)) {
        return true;
      }
    }
    return false;
  }
}
