package io.fabrichealth.collective;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One process group over all its members: what each issued in it, by sequence number. The numbers
 * of different groups have nothing to do with each other.
 */
final class MatchedGroup {
  /** Below any sequence number: of a member that issued nothing. */
  static final long NOTHING = Long.MIN_VALUE;

  private final int id;
  private final String name;
  private final String description;
  private final int[] members;
  private final @Nullable Track[] tracks;

  MatchedGroup(int id, String name, String description, int[] members) {
    this.id = id;
    this.name = name;
    this.description = description;
    this.members = members;
    tracks = new Track[members.length];
  }

  /** Index in {@link Matching#groups()}. */
  int id() {
    return id;
  }

  String name() {
    return name;
  }

  String description() {
    return description;
  }

  /** Global ranks, ascending. */
  int[] members() {
    return members;
  }

  int size() {
    return members.length;
  }

  /** Negative where the rank is no member. */
  int indexOf(int rank) {
    return Arrays.binarySearch(members, rank);
  }

  boolean holds(int rank) {
    return indexOf(rank) >= 0;
  }

  void put(int member, Track track) {
    tracks[member] = track;
  }

  /** What a member issued; null where it left no dump, or nothing of this group in it. */
  @Nullable Track track(int member) {
    return tracks[member];
  }

  @Nullable Track trackOf(int rank) {
    int member = indexOf(rank);
    return member < 0 ? null : tracks[member];
  }

  /** The highest sequence number that a member issued, {@link #NOTHING} where it issued none. */
  long last(int member) {
    Track track = tracks[member];
    return track == null ? NOTHING : track.last();
  }

  /** For people: {@code tp (1)}. */
  String label() {
    return description.isEmpty() || description.equals("undefined")
        ? "group " + name
        : "%s (%s)".formatted(description, name);
  }

  /** The entries of one rank in one group, in the order of their numbers. */
  static final class Track {
    private final FlightRecorder recorder;
    private final int[] collectives;
    private final int[] pointToPoint;
    private final long[] sequences;

    Track(FlightRecorder recorder, int[] collectives, int[] pointToPoint) {
      this.recorder = recorder;
      this.collectives = collectives;
      this.pointToPoint = pointToPoint;
      sequences = new long[collectives.length];
      for (int at = 0; at < sequences.length; at++) {
        sequences[at] = Matching.sequence(recorder, collectives[at]);
      }
    }

    FlightRecorder recorder() {
      return recorder;
    }

    /** The number of collectives. */
    int size() {
      return collectives.length;
    }

    /** The recorder's entry of a collective. */
    int entry(int at) {
      return collectives[at];
    }

    long sequence(int at) {
      return sequences[at];
    }

    /** The recorder's entries of sends and receives, in their order. */
    int[] pointToPoint() {
      return pointToPoint;
    }

    long first() {
      return sequences.length == 0 ? NOTHING : sequences[0];
    }

    long last() {
      return sequences.length == 0 ? NOTHING : sequences[sequences.length - 1];
    }

    /** Where a number stands first, or negative: coalesced operations share theirs. */
    int find(long sequence) {
      int at = Arrays.binarySearch(sequences, sequence);
      while (at > 0 && sequences[at - 1] == sequence) {
        at--;
      }
      return at;
    }

    /** The recorder's first entry of a number, or -1. */
    int entryOf(long sequence) {
      int at = find(sequence);
      return at < 0 ? -1 : collectives[at];
    }
  }
}
