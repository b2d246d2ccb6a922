package io.fabrichealth.topology;

import java.util.Comparator;

/** Names as people sort them: {@code mlx5_2} before {@code mlx5_10}. */
public final class NaturalOrder implements Comparator<String> {
  public static final NaturalOrder INSTANCE = new NaturalOrder();

  private NaturalOrder() {}

  @Override
  public int compare(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      if (isDigit(one.charAt(i)) && isDigit(other.charAt(j))) {
        int endOfOne = endOfNumber(one, i);
        int endOfOther = endOfNumber(other, j);
        int difference = compareNumbers(one.substring(i, endOfOne), other.substring(j, endOfOther));
        if (difference != 0) {
          return difference;
        }
        i = endOfOne;
        j = endOfOther;
      } else if (one.charAt(i) != other.charAt(j)) {
        return one.charAt(i) - other.charAt(j);
      } else {
        i++;
        j++;
      }
    }
    int rest = Integer.compare(one.length() - i, other.length() - j);
    return rest != 0 ? rest : one.compareTo(other);
  }

  private static int compareNumbers(String one, String other) {
    String a = withoutZeros(one);
    String b = withoutZeros(other);
    return a.length() == b.length() ? a.compareTo(b) : a.length() - b.length();
  }

  private static String withoutZeros(String number) {
    int from = 0;
    while (from < number.length() - 1 && number.charAt(from) == '0') {
      from++;
    }
    return number.substring(from);
  }

  private static int endOfNumber(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
