package dev.eagle3.cause;

import dev.eagle3.cause.ReplyUnwrapped.Batch;
import dev.eagle3.cause.ReplyUnwrapped.RowFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the batches among files by their own numbers: neighbours with the same count of tensors,
 * whose tokens add up to that count, and each of which is as long as its place in the batch leaves
 * it. As every sample has a token at least, a sum is met at one place or never, so the batch size
 * need not be known (and a wrong one cannot mislead).
 */
final class BatchSplitter {
  /** H: known, or settled by the first batch in which it cuts a sample short. */
  private OptionalLong hiddenSize;

  BatchSplitter(OptionalLong hiddenSize) {
    this.hiddenSize = hiddenSize;
  }

  /** The batches in order; files that belong to none are left out. */
  List<Batch> split(List<RowFile> files) {
    List<Batch> batches = new ArrayList<>();
    int start = 0;
    while (start < files.size()) {
      Optional<Batch> batch = batchAt(start, files);
      if (batch.isPresent()) {
        batches.add(batch.get());
        hiddenSize = batch.get().hiddenSize();
        start += batch.get().files().size();
      } else {
        start++;
      }
    }
    return batches;
  }

  private Optional<Batch> batchAt(int start, List<RowFile> files) {
    RowFile first = files.get(start);
    OptionalLong width = hiddenSize;
    long offset = 0;
    int next = start;
    while (offset < first.tensors()) {
      if (next == files.size() || !belongs(files, start, next)) {
        return Optional.empty();
      }
      RowFile file = files.get(next);
      if (width.isEmpty() && file.length() < file.tokens()) {
        width = OptionalLong.of(offset + file.length());
      }
      if (file.length() != lengthAt(offset, file.tokens(), width)) {
        return Optional.empty();
      }
      offset += file.tokens();
      next++;
    }
    return offset == first.tensors()
        ? Optional.of(new Batch(List.copyOf(files.subList(start, next)), width))
        : Optional.empty();
  }

  private static boolean belongs(List<RowFile> files, int start, int next) {
    return next == start
        || (files.get(next).tensors() == files.get(start).tensors()
            && files.get(next - 1).isFollowedBy(files.get(next)));
  }

  private static long lengthAt(long offset, long tokens, OptionalLong width) {
    return width.isEmpty() ? tokens : Math.max(0, Math.min(tokens, width.getAsLong() - offset));
  }
}
