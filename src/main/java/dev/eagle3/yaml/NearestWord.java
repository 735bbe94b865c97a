package dev.eagle3.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
public final class NearestWord {
  private static final int MOST_LENGTH = 60;

  private NearestWord() {}

  /**
   * The known word with the fewest edits (insert, delete, replace, swap of neighbours; upper and
   * lower case and {@code _} for {@code -} do not count); empty when all are farther than a third
   * of the word. Among equals the first known one.
   */
  public static Optional<String> find(String word, Collection<String> known) {
    if (word.isEmpty() || word.length() > MOST_LENGTH) {
      return Optional.empty();
    }
    String wanted = plain(word);
    int nearest = Math.max(1, wanted.length() / 3) + 1;
    Optional<String> found = Optional.empty();
    for (String candidate : known) {
      int edits = edits(wanted, plain(candidate));
      if (edits < nearest) {
        nearest = edits;
        found = Optional.of(candidate);
      }
    }
    return found;
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int row = 0; row <= from.length(); row++) {
      for (int column = 0; column <= to.length(); column++) {
        edits[row][column] =
            row == 0 || column == 0 ? row + column : least(edits, row, column, from, to);
      }
    }
    return edits[from.length()][to.length()];
  }

  private static int least(int[][] edits, int row, int column, String from, String to) {
    char a = from.charAt(row - 1);
    char b = to.charAt(column - 1);
    int least = Math.min(edits[row - 1][column], edits[row][column - 1]) + 1;
    least = Math.min(least, edits[row - 1][column - 1] + (a == b ? 0 : 1));
    boolean swapped =
        row > 1 && column > 1 && a == to.charAt(column - 2) && from.charAt(row - 2) == b;
    return swapped ? Math.min(least, edits[row - 2][column - 2] + 1) : least;
  }
}
