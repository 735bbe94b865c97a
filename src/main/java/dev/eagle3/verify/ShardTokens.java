package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the token ids (int32) and loss masks (uint8) of some samples of a shard of DeepSpec, at
 * the most {@value #MOST}, evenly over all of them.
 */
final class ShardTokens {
  /** Samples of one shard; a call of some hundred KB. */
  private static final int MOST = 64;

  /** Longer samples are not looked at. */
  private static final long MOST_TOKENS = 8192;

  private record Place(long sample, int tokens, long idsAt, long maskAt) {}

  private List<Place> picked = new ArrayList<>();
  private long stride = 1;
  private long offered;

  /** Takes a sample that lies within its shard, in order; it may be left out for others. */
  void offer(long sample, long tokens, long idsAt, long maskAt) {
    if (offered++ % stride != 0 || tokens == 0 || tokens > MOST_TOKENS) {
      return;
    }
    picked.add(new Place(sample, (int) tokens, idsAt, maskAt));
    if (picked.size() > MOST) {
      List<Place> half = new ArrayList<>();
      for (int index = 0; index < picked.size(); index += 2) {
        half.add(picked.get(index));
      }
      picked = half;
      stride *= 2;
    }
  }

  /** What is wrong with them; one call. */
  List<Finding> check(FileTree files, String path, Expectation expected) throws IOException {
    List<ByteRange> ranges = new ArrayList<>();
    for (Place place : picked) {
      ranges.add(new ByteRange(place.idsAt(), place.tokens() * Integer.BYTES));
      ranges.add(new ByteRange(place.maskAt(), place.tokens()));
    }
    if (ranges.isEmpty()) {
      return List.of();
    }
    List<byte[]> answers;
    try {
      answers = files.read(path, ranges);
    } catch (NoSuchFileException | AccessDeniedException gone) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    expected.vocabulary().flatMap(size -> outside(path, answers, size)).ifPresent(findings::add);
    zero(path, answers).ifPresent(findings::add);
    return findings;
  }

  private Optional<Finding> outside(String path, List<byte[]> answers, Sourced<Long> size) {
    @Nullable String first = null;
    long count = 0;
    for (int index = 0; index < picked.size(); index++) {
      ByteBuffer ids = ByteBuffer.wrap(answers.get(2 * index)).order(ByteOrder.LITTLE_ENDIAN);
      for (int at = 0; ids.remaining() >= Integer.BYTES; at++) {
        int id = ids.getInt();
        boolean isOutside = id < 0 || id >= size.value();
        count += isOutside ? 1 : 0;
        if (isOutside && first == null) {
          first = "input_ids[" + at + "] of sample " + picked.get(index).sample() + " is " + id;
        }
      }
    }
    return first == null
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "tokens.outside-vocabulary",
                Severity.ERROR,
                path,
                "ids from 0 to " + (size.value() - 1),
                first + (count > 1 ? ", and " + (count - 1) + " more" : ""),
                List.of(
                    "vocabulary of " + size.value() + " ids from " + size.source(),
                    "looked at were " + picked.size() + " samples of the shard")));
  }

  private Optional<Finding> zero(String path, List<byte[]> answers) {
    List<Long> samples = new ArrayList<>();
    for (int index = 0; index < picked.size(); index++) {
      byte[] mask = answers.get(2 * index + 1);
      boolean isZero = mask.length == picked.get(index).tokens();
      for (byte value : mask) {
        isZero &= value == 0;
      }
      if (isZero) {
        samples.add(picked.get(index).sample());
      }
    }
    return samples.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "mask.all-zero",
                Severity.WARNING,
                path,
                "tokens to learn from",
                "loss_mask is 0 for every token of "
                    + samples.size()
                    + " of "
                    + picked.size()
                    + " samples that were looked at",
                List.of("the first is sample " + samples.get(0))));
  }
}
