package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the values of the token ids and the loss mask, which are a thousandth of a file: whether
 * the model has such ids, and whether the mask leaves anything to learn from. One round trip.
 */
final class TokenValues {
  /** Of larger ones the values are not looked at: 8,192 tokens of int64. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final Map<String, Integer> WIDTHS =
      Map.of("int64", 8, "int32", 4, "int16", 2, "int8", 1, "uint8", 1, "bool", 1, "float32", 4);

  private TokenValues() {}

  /** The findings on a file whose header is {@code file}; none where the values are not at hand. */
  static List<Finding> check(
      RangedBytes bytes, TensorFile file, FileVerdict verdict, Expectation expected)
      throws IOException {
    Optional<Schema> schema = verdict.shape().flatMap(shape -> Schemas.named(shape.schema()));
    if (schema.isEmpty()) {
      return List.of();
    }
    Optional<TensorEntry> ids =
        expected.vocabulary().isPresent()
            ? readable(file, schema.get().tokensKey())
                .filter(tensor -> tensor.dtype().startsWith("int"))
            : Optional.empty();
    Optional<TensorEntry> mask = schema.get().maskKey().flatMap(key -> readable(file, key));
    List<ByteRange> ranges = new ArrayList<>();
    ids.ifPresent(tensor -> ranges.add(range(tensor)));
    mask.ifPresent(tensor -> ranges.add(range(tensor)));
    if (ranges.isEmpty()) {
      return List.of();
    }
    List<byte[]> answers = bytes.read(ranges);
    List<Finding> findings = new ArrayList<>();
    if (ids.isPresent() && answers.get(0).length == ranges.get(0).length()) {
      addOutside(file, ids.get(), answers.get(0), expected, findings);
    }
    int last = ranges.size() - 1;
    if (mask.isPresent() && answers.get(last).length == ranges.get(last).length()) {
      addZero(file, mask.get(), answers.get(last), findings);
    }
    return findings;
  }

  private static void addOutside(
      TensorFile file,
      TensorEntry ids,
      byte[] content,
      Expectation expected,
      List<Finding> findings) {
    Sourced<Long> size = expected.vocabulary().orElseThrow();
    int width = WIDTHS.getOrDefault(ids.dtype(), 1);
    boolean isBig = file.isBigEndian();
    long first = 0;
    long place = -1;
    int count = 0;
    for (int index = 0; index < content.length / width; index++) {
      long id = number(content, index * width, width, isBig);
      if (id < 0 || id >= size.value()) {
        if (count == 0) {
          first = id;
          place = index;
        }
        count++;
      }
    }
    if (count > 0) {
      String more = count > 1 ? String.format(Locale.ROOT, ", and %,d more", count - 1) : "";
      findings.add(
          new Finding(
              "tokens.outside-vocabulary",
              Severity.ERROR,
              file.name(),
              "ids from 0 to " + (size.value() - 1),
              ids.key() + "[" + place + "] is " + first + more,
              List.of("vocabulary of " + size.value() + " ids from " + size.source())));
    }
  }

  private static void addZero(
      TensorFile file, TensorEntry mask, byte[] content, List<Finding> findings) {
    // From the end: what is to be learned is the answer, which comes last.
    for (int index = content.length - 1; index >= 0; index--) {
      if (content[index] != 0) {
        return;
      }
    }
    if (content.length > 0) {
      findings.add(
          Finding.of(
              "mask.all-zero",
              Severity.WARNING,
              file.name(),
              "tokens to learn from",
              mask.key() + " is 0 for every token"));
    }
  }

  /** A number with its sign. */
  private static long number(byte[] content, int at, int width, boolean isBig) {
    long number = content[isBig ? at : at + width - 1];
    for (int step = 1; step < width; step++) {
      int index = isBig ? step : width - 1 - step;
      number = number << Byte.SIZE | (content[at + index] & 0xFF);
    }
    return number;
  }

  /** The one tensor of that name, when its values lie together at a known place. */
  private static Optional<TensorEntry> readable(TensorFile file, String key) {
    List<TensorEntry> tensors = file.under(key);
    return tensors.size() == 1 && isReadable(tensors.get(0))
        ? Optional.of(tensors.get(0))
        : Optional.empty();
  }

  private static boolean isReadable(TensorEntry tensor) {
    @Nullable StorageExtent storage = tensor.storage();
    int rank = tensor.shape().size();
    boolean list = rank == 1 || (rank == 2 && tensor.shape().get(0) == 1);
    @Nullable Integer width = WIDTHS.get(tensor.dtype());
    if (storage == null || storage.fileOffset() < 0 || !list || width == null) {
      return false;
    }
    long tokens = tensor.shape().get(rank - 1);
    boolean together = tokens <= 1 || tensor.stride().get(rank - 1) == 1;
    return together
        && tokens <= MOST_BYTES / width
        && tensor.offset() >= 0
        && tensor.offset() <= storage.storedBytes() / width - tokens;
  }

  private static ByteRange range(TensorEntry tensor) {
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    @Nullable StorageExtent storage = tensor.storage();
    long start = storage == null ? 0 : storage.fileOffset();
    long tokens = tensor.shape().get(tensor.shape().size() - 1);
    return new ByteRange(start + tensor.offset() * width, (int) tokens * width);
  }
}
