package dev.eagle3.verify.deep;

import dev.eagle3.tensor.TensorEntry;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongToIntFunction;
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

  /**
   * Takes the next rows that lie wholly in a window, which holds the storage from {@code start} to
   * {@code end}.
   */
  void take(ByteBuffer window, long start, long end) {
    long from = row;
    long length = place.rowBytes();
    while (hasNext() && nextStart() + length <= end) {
      takeRow(window, (int) (nextStart() - start));
    }
    if (row > from) {
      close(from, earlier -> (int) (place.rowInStorage(earlier) - start), window);
    }
  }

  /** Takes all rows of a layer that was put in order. */
  void takeAll(ByteBuffer rows) {
    int length = rowLength();
    while (hasNext()) {
      takeRow(rows, (int) row * length);
    }
    close(0, earlier -> (int) earlier * length, rows);
  }

  private int rowLength() {
    return (int) (place.columns() * place.elementBytes());
  }

  private void takeRow(ByteBuffer bytes, int at) {
    Tally open = tally;
    if (open == null) {
      open = Tally.of(element);
      tally = open;
      hashes = new long[isCompared ? (int) place.rows() : 0];
    }
    open.add(bytes, at, rowLength());
    hash = Tally.mixed(hash, open.hash());
    if (hashes.length > 0) {
      hashes[(int) row] = open.hash();
    }
    if (open.isZero()) {
      allZeroRows++;
      if (!tokens.isPadding(row)) {
        zeroRows.add(row);
      }
    } else if (open.isConstant()
        && place.columns() >= FEWEST_COLUMNS_OF_A_FILL
        && !tokens.isPadding(row)
        && Double.isFinite(element.value(bytes, at))) {
      constantRows.add(row);
    }
    row++;
  }

  /** Looks at the rows from {@code from} on again if need be, while they are still there. */
  private void close(long from, LongToIntFunction rowAt, ByteBuffer bytes) {
    Tally open = tally;
    if (open != null && open.tookNonFinite()) {
      for (long again = from; again < row; again++) {
        takeNonFinite(bytes, rowAt.applyAsInt(again), again);
      }
    }
    if (open != null && !hasNext()) {
      totals = open.totals();
      tally = null;
    }
  }

  private void takeNonFinite(ByteBuffer bytes, int at, long affected) {
    int step = place.elementBytes();
    for (int channel = 0; channel < place.columns(); channel++) {
      double value = element.value(bytes, at + channel * step);
      if (Double.isNaN(value)) {
        nan.add(affected, channel);
      } else if (Double.isInfinite(value)) {
        inf.add(affected, channel);
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
        new LayerValues(
            layer, tokens, totals, nan, inf, allZero, zeroRows, constantRows, hashes, hash));
  }
}
