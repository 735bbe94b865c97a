package dev.eagle3.verify.deep;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where NaN, or infinities, stand in a layer. */
final class NonFinite {
  private static final int MOST_CHANNELS = 1 << 20;
  private static final int MOST_CHANNELS_SHOWN = 4;

  private final RowRanges rows = new RowRanges();
  private final long channels;
  private int @Nullable [] perChannel;
  private long count;
  private long lastRow = -1;

  /** Of a layer with so many channels; of very many, channels are not told apart. */
  NonFinite(long channels) {
    this.channels = channels;
  }

  void add(long row, int channel) {
    count++;
    if (row != lastRow) {
      rows.add(row);
      lastRow = row;
    }
    if (perChannel == null && channels <= MOST_CHANNELS) {
      perChannel = new int[(int) channels];
    }
    if (perChannel != null) {
      perChannel[channel]++;
    }
  }

  long count() {
    return count;
  }

  /** How many channels have some; -1 when unknown, or there are none. */
  long channels() {
    return perChannel == null ? -1 : Arrays.stream(perChannel).filter(each -> each > 0).count();
  }

  /** How many rows are affected. */
  long rows() {
    return rows.count();
  }

  /** The fewest that one of the affected channels has; 0 when unknown. */
  int fewestInAChannel() {
    return perChannel == null
        ? 0
        : Arrays.stream(perChannel).filter(each -> each > 0).min().orElse(0);
  }

  /** In words: {@code 12 values, row 3, channels 0, 1, 2, 3 and 8 more}. */
  String words() {
    String words = Words.count(count) + (count == 1 ? " value, " : " values, ") + rows.words();
    if (perChannel == null) {
      return words;
    }
    StringBuilder shown = new StringBuilder();
    int number = 0;
    for (int channel = 0; channel < perChannel.length && number < MOST_CHANNELS_SHOWN; channel++) {
      if (perChannel[channel] > 0) {
        shown.append(number++ == 0 ? "" : ", ").append(channel);
      }
    }
    long affected = channels();
    if (affected == perChannel.length && affected > MOST_CHANNELS_SHOWN) {
      return words + ", all channels";
    }
    long more = affected - number;
    return words
        + (affected == 1 ? ", channel " : ", channels ")
        + shown
        + (more > 0 ? " and " + Words.count(more) + " more" : "");
  }
}
