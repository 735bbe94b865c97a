package dev.eagle3.verify.deep;

/**
 * What a file says of its rows.
 *
 * @param ids the token ids, T of them; empty when the file has none that can be read
 * @param paddingStart rows before this one are padding
 * @param paddingEnd this row and those after it are padding
 */
@SuppressWarnings("ArrayRecordComponent") // T longs: not to be copied
public record Tokens(long[] ids, long paddingStart, long paddingEnd) {
  /** A file that says nothing. */
  static final Tokens UNKNOWN = new Tokens(new long[0], 0, Long.MAX_VALUE);

  /**
   * Finds the padding: a run of one id at the end, or two or more at the start, that the loss mask
   * leaves out. An id of 0 that the mask keeps is a token. Without a mask, a run of two or more at
   * the end.
   *
   * @param mask as many values as ids, or none
   */
  static Tokens of(long[] ids, long[] mask) {
    if (ids.length == 0) {
      return UNKNOWN;
    }
    boolean masked = mask.length == ids.length;
    int end = ids.length;
    while (end > 0 && ids[end - 1] == ids[ids.length - 1] && !(masked && mask[end - 1] != 0)) {
      end--;
    }
    if (!masked && ids.length - end < 2) {
      end = ids.length;
    }
    int start = 0;
    while (masked && start < end && ids[start] == ids[0] && mask[start] == 0) {
      start++;
    }
    // The first token of a sample is left out by most masks, and is no padding for that.
    return new Tokens(ids, start < 2 ? 0 : start, end);
  }

  /** Whether a row may be padding. */
  boolean isPadding(long row) {
    return row < paddingStart || row >= paddingEnd;
  }
}
