package dev.eagle3.verify.deep;

import dev.eagle3.tensor.TensorEntry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the rows of one layer in order. For one thread. */
final class LayerScan {
  /** A row of fewer numbers is easily of one number by chance. */
  private static final int FEWEST_COLUMNS_OF_A_FILL = 8;

  private final TensorEntry layer;
  private final RowPlace place;
  private final Tokens tokens;
  private final Element element;
  private final boolean isCompared;
  private long[] hashes = new long[0];
  private @Nullable Tally tally;
  private Tally.@Nullable Totals totals;
  private final NonFinite nan;
  private final NonFinite inf;
  private final RowRanges zeroRows = new RowRanges();
  private final RowRanges constantRows = new RowRanges();
  private long allZeroRows;
  private long hash = Tally.seed();
  private long row;

  /**
   * A layer of a known dtype with a storage. Tables are made when its first row comes, and let go
   * with the last.
   *
   * @param isCompared whether to keep a hash of each row
   */
  LayerScan(TensorEntry layer, Tokens tokens, boolean isCompared) {
    this.layer = layer;
    this.element = Element.of(layer.dtype()).orElseThrow();
    this.place = new RowPlace(layer, element.bytes());
    this.tokens = tokens;
    this.isCompared = isCompared;
    this.nan = new NonFinite(place.columns());
    this.inf = new NonFinite(place.columns());
  }

  TensorEntry layer() {
    return layer;
  }

  RowPlace place() {
    return place;
  }

  boolean hasNext() {
    return row < place.rows();
  }

  /** Where the next row begins in the storage. */
  long nextStart() {
    return place.rowInStorage(row);
  }

  /** Takes the next row, whole, from {@code at} on. */
  void take(byte[] bytes, int at) {
    int length = (int) (place.columns() * place.elementBytes());
    if (tally == null) {
      tally = Tally.of(element);
      hashes = new long[isCompared ? (int) place.rows() : 0];
    }
    tally.add(bytes, at, length);
    hash = Tally.mixed(hash, tally.hash());
    if (hashes.length > 0) {
      hashes[(int) row] = tally.hash();
    }
    boolean padding = tokens.isPadding(row);
    if (!tally.isFinite()) {
      takeNonFinite(bytes, at, length);
    } else if (tally.isZero()) {
      allZeroRows++;
      if (!padding) {
        zeroRows.add(row);
      }
    } else if (tally.isConstant() && !padding && place.columns() >= FEWEST_COLUMNS_OF_A_FILL) {
      constantRows.add(row);
    }
    row++;
    if (!hasNext()) {
      totals = tally.totals();
      tally = null;
    }
  }

  private void takeNonFinite(byte[] bytes, int at, int length) {
    int step = place.elementBytes();
    for (int channel = 0; channel < length / step; channel++) {
      double value = element.value(bytes, at + channel * step);
      if (Double.isNaN(value)) {
        nan.add(row, channel);
      } else if (Double.isInfinite(value)) {
        inf.add(row, channel);
      }
    }
  }

  /** What was found; empty unless all rows were taken, and there was one or more. */
  Optional<LayerValues> values() {
    if (totals == null) {
      return Optional.empty();
    }
    boolean allZero = place.columns() > 0 && allZeroRows == row;
    return Optional.of(
        new LayerValues(layer, totals, nan, inf, allZero, zeroRows, constantRows, hashes, hash));
  }
}
