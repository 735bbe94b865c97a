package dev.eagle3.report;

/**
 * Of many lines of a kind shows the first few, then only bad ones, up to that many too, and counts
 * the rest.
 */
final class Tally {
  /** How many lines of a kind are shown unless said otherwise. */
  static final int MOST = 20;

  private final String noun;
  private final String badWord;
  private final int most;
  private long shown;
  private long shownBad;
  private long hidden;
  private long hiddenBad;

  /**
   * A tally.
   *
   * @param noun a plural
   * @param badWord for the bad ones among those that are not shown
   * @param most how many are shown
   */
  Tally(String noun, String badWord, int most) {
    this.noun = noun;
    this.badWord = badWord;
    this.most = most;
  }

  /** Whether to show the next line. */
  boolean take(boolean bad) {
    boolean show = bad ? shown < most || shownBad < most : shown < most;
    if (show) {
      shown++;
      shownBad += bad ? 1 : 0;
    } else {
      hidden++;
      hiddenBad += bad ? 1 : 0;
    }
    return show;
  }

  /** One line about those that were not shown since the last call; empty when there were none. */
  String rest() {
    if (hidden == 0) {
      return "";
    }
    String rest = "… and " + Units.count(hidden) + " more " + noun;
    if (hiddenBad > 0) {
      rest += ", " + Units.count(hiddenBad) + " of them " + badWord;
    }
    hidden = 0;
    hiddenBad = 0;
    return rest;
  }
}
