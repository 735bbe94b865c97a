package dev.eagle3.verify.deep;

import dev.eagle3.tensor.TensorEntry;

/**
 * What the values of one layer are.
 *
 * @param layer the matrix that was read
 * @param tokens what the file says of its rows
 * @param totals all values together, exactly
 * @param nan where NaN stands
 * @param inf where infinities stand
 * @param isAllZero whether it holds zeros alone
 * @param zeroRows rows of zeros outside padding
 * @param constantRows rows outside padding of one other number all along
 * @param rowHashes 64 bits of each row; empty for very many rows
 * @param hash 64 bits of all rows in order
 */
@SuppressWarnings("ArrayRecordComponent") // T longs: not to be copied
record LayerValues(
    TensorEntry layer,
    Tokens tokens,
    Tally.Totals totals,
    NonFinite nan,
    NonFinite inf,
    boolean isAllZero,
    RowRanges zeroRows,
    RowRanges constantRows,
    long[] rowHashes,
    long hash) {

  String path() {
    return layer.path();
  }
}
