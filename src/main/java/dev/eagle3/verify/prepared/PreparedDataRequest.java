package dev.eagle3.verify.prepared;

/**
 * Prepared data to compare files with.
 *
 * @param path JSON Lines on the machine of the files, with {@code input_ids} in each line
 * @param mostBytes larger data is not read
 * @param asked whether somebody asked for it in so many words: then what matches is said too, and
 *     why nothing was compared
 * @param whole whether every row should have a file; a script may take a part of the rows
 */
public record PreparedDataRequest(String path, long mostBytes, boolean asked, boolean whole) {
  /** 16 MiB, about 1,000 samples of 2,048 tokens: read without asking. */
  public static final long FEW_BYTES = 16L << 20;

  /** 4 GiB: read when somebody asked for it. */
  public static final long MANY_BYTES = 4L << 30;
}
