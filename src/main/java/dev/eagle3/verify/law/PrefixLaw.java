package dev.eagle3.verify.law;

import dev.eagle3.verify.InFlight;
import dev.eagle3.verify.deep.LayerRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Row i of a sample depends on its ids 0 to i only, so samples that begin with the same ids must
 * have the same rows there. Bits may differ (another batch, another kernel), directions may not.
 *
 * <p>Sorted by their ids, the samples with the longest shared prefixes are neighbours, so few pairs
 * tell all. Who is at fault in a pair that disagrees is told by the others: a sample that agrees
 * with no neighbour, while those agree among themselves.
 */
final class PrefixLaw {
  /** Rows that are compared in a pair. */
  private static final int ROWS = 6;

  /** Three rows behind row 0: fewer give no measure of how far rows are apart. */
  private static final int FEWEST_SHARED = 4;

  /** How many neighbours on either side are asked about a sample that disagrees. */
  private static final int NEIGHBOURS = 3;

  private static final int MOST_SHIFT = 3;

  private final LayerRows rows;
  private final InFlight inFlight;
  private final List<LawSample> sorted;
  private final Map<Key, Pair> pairs = new LinkedHashMap<>();

  /** Places of two samples among the sorted ones. */
  private record Key(int left, int right) {}

  /**
   * Two samples with a shared prefix.
   *
   * @param shared how many ids they share
   */
  record Pair(LawSample left, LawSample right, int shared, RowDistance distance) {
    LawSample otherThan(LawSample sample) {
      return sample == left ? right : left;
    }
  }

  /**
   * A sample whose rows are not those of its prefix.
   *
   * @param pair with a sample that shares it
   * @param isProven whether other samples tell that it is this one of the two
   * @param shift how many rows later the sample of the pair has these rows; 0 when nowhere near
   */
  record Breach(LawSample sample, Pair pair, boolean isProven, int shift) {}

  /** What was found; {@code compared} counts pairs that could tell. */
  record Answer(int compared, int agreeing, List<Breach> breaches) {}

  PrefixLaw(LayerRows rows, List<LawSample> samples, InFlight inFlight) {
    this.rows = rows;
    this.inFlight = inFlight;
    this.sorted = samples.stream().sorted(LawSample::byIds).toList();
  }

  /** Compares each sample with its neighbour, and those that disagree with more of them. */
  Answer check() throws IOException {
    Set<Key> neighbours = new LinkedHashSet<>();
    for (int index = 0; index + 1 < sorted.size(); index++) {
      neighbours.add(new Key(index, index + 1));
    }
    compare(neighbours);
    List<Integer> suspects = new ArrayList<>();
    for (int index = 0; index < sorted.size(); index++) {
      if (partners(index, RowDistance::isDifferent).isPresent()) {
        suspects.add(index);
      }
    }
    Set<Key> around = new LinkedHashSet<>();
    for (int suspect : suspects) {
      for (int left = suspect - NEIGHBOURS; left <= suspect + NEIGHBOURS; left++) {
        for (int right = left + 1; right <= suspect + NEIGHBOURS; right++) {
          around.add(new Key(left, right));
        }
      }
    }
    compare(around);
    List<Breach> breaches = new ArrayList<>();
    for (int index = 0; index < sorted.size(); index++) {
      Optional<Breach> breach = breach(index);
      if (breach.isPresent()) {
        breaches.add(breach.get());
      }
    }
    int agreeing = (int) pairs.values().stream().filter(pair -> pair.distance().isSame()).count();
    int differing =
        (int) pairs.values().stream().filter(pair -> pair.distance().isDifferent()).count();
    return new Answer(agreeing + differing, agreeing, breaches);
  }

  private Optional<Breach> breach(int index) throws IOException {
    LawSample sample = sorted.get(index);
    Optional<Pair> differing = partners(index, RowDistance::isDifferent);
    if (differing.isEmpty() || partners(index, RowDistance::isSame).isPresent()) {
      return Optional.empty();
    }
    for (int other = 0; other < sorted.size(); other++) {
      Pair pair = pairs.get(new Key(Math.min(index, other), Math.max(index, other)));
      if (pair != null
          && pair.distance().isDifferent()
          && partners(other, RowDistance::isSame).isPresent()) {
        return Optional.of(new Breach(sample, pair, true, shift(sample, pair)));
      }
    }
    return Optional.of(new Breach(sample, differing.get(), false, 0));
  }

  /** A pair of this sample of the kind that is asked for. */
  private Optional<Pair> partners(int index, Predicate<RowDistance> kind) {
    LawSample sample = sorted.get(index);
    return pairs.values().stream()
        .filter(pair -> pair.left() == sample || pair.right() == sample)
        .filter(pair -> kind.test(pair.distance()))
        .max((one, two) -> Integer.compare(one.shared(), two.shared()));
  }

  /** Compares the pairs that exist, share enough and were not compared yet. */
  private void compare(Set<Key> keys) throws IOException {
    List<Key> wanted = keys.stream().filter(this::isOpen).toList();
    List<Pair> compared = inFlight.map(wanted, key -> pair(key));
    for (int index = 0; index < wanted.size(); index++) {
      pairs.put(wanted.get(index), compared.get(index));
    }
  }

  private boolean isOpen(Key key) {
    if (key.left() < 0 || key.right() >= sorted.size() || pairs.containsKey(key)) {
      return false;
    }
    LawSample one = sorted.get(key.left());
    LawSample two = sorted.get(key.right());
    return one.hiddenSize() == two.hiddenSize() && one.sharedWith(two) >= FEWEST_SHARED;
  }

  private Pair pair(Key key) throws IOException {
    LawSample one = sorted.get(key.left());
    LawSample two = sorted.get(key.right());
    int shared = one.sharedWith(two);
    float[] first = read(one, shared, 0);
    float[] second = read(two, shared, 0);
    return new Pair(one, two, shared, RowDistance.of(first, second, one.hiddenSize()));
  }

  /** How many rows later the partner has the rows of the sample. */
  private int shift(LawSample sample, Pair pair) throws IOException {
    LawSample partner = pair.otherThan(sample);
    float[] mine = read(sample, pair.shared(), 0);
    for (int distance = 1; distance <= MOST_SHIFT; distance++) {
      for (int shift : new int[] {distance, -distance}) {
        if (fits(partner, pair.shared(), shift)) {
          float[] theirs = read(partner, pair.shared(), shift);
          if (RowDistance.of(mine, theirs, sample.hiddenSize()).isSame()) {
            return shift;
          }
        }
      }
    }
    return 0;
  }

  private static boolean fits(LawSample sample, int shared, int shift) {
    int step = step(shared);
    return step + shift >= 0 && step * count(shared) + shift < sample.layer().shape().get(0);
  }

  private float[] read(LawSample sample, int shared, int shift) throws IOException {
    int step = step(shared);
    int count = count(shared);
    return rows.rows(sample.path(), sample.every(step, step + shift, count), 0, count);
  }

  private static int count(int shared) {
    return Math.min(ROWS, (shared - 1) / step(shared));
  }

  private static int step(int shared) {
    return Math.max(1, (shared - 1) / ROWS);
  }
}
