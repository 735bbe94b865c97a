package dev.eagle3.verify.law;

/**
 * How much better rows predict one token than another, over many rows: differences of
 * log-probability, of rows in which the tokens differ.
 */
final class Odds {
  private int count;
  private double sum;
  private double squares;

  /** Adds a row. */
  void add(double difference) {
    count++;
    sum += difference;
    squares += difference * difference;
  }

  /** How many rows told something. */
  int count() {
    return count;
  }

  /** The log of how much likelier the one is, over all rows. */
  double sum() {
    return sum;
  }

  /** The mean in its standard errors: how sure the sign is. 0 for fewer than two rows. */
  double certainty() {
    if (count < 2) {
      return 0;
    }
    double mean = sum / count;
    double variance = Math.max(0, squares - sum * mean) / (count - 1);
    return mean / (Math.sqrt(variance / count) + 1e-9);
  }
}
