package dev.eagle3.verify.deep;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the token ids and the loss mask of a file, in one call. */
final class TokensReader {
  private static final int MOST_TOKENS = 1 << 20;
  private static final Set<String> IDS = Set.of("input_ids", "token_ids");
  private static final Set<String> MASK = Set.of("loss_mask");

  /** Bytes of an element. */
  private static final Map<String, Integer> WIDTHS =
      Map.of("int64", 8, "int32", 4, "int16", 2, "int8", 1, "uint8", 1, "bool", 1);

  private final FileTree files;

  TokensReader(FileTree files) {
    this.files = files;
  }

  /** What the file says; {@link Tokens#UNKNOWN} when it holds no ids as schemas have them. */
  Tokens read(TensorFile file) throws IOException {
    Optional<TensorEntry> ids = list(file, IDS);
    Optional<TensorEntry> mask = list(file, MASK);
    if (ids.isEmpty()) {
      return Tokens.UNKNOWN;
    }
    List<ByteRange> ranges = new ArrayList<>();
    ranges.add(range(ids.get()));
    mask.ifPresent(tensor -> ranges.add(range(tensor)));
    List<byte[]> answers = files.read(file.name(), ranges);
    return Tokens.of(
        numbers(ids.get(), answers.get(0)),
        mask.isPresent() ? numbers(mask.get(), answers.get(1)) : new long[0]);
  }

  /** The one tensor {@code [T]} or {@code [1, T]} of a name, if its values can be read. */
  private static Optional<TensorEntry> list(TensorFile file, Set<String> names) {
    return file.tensors().stream()
        .filter(tensor -> names.contains(tensor.path()))
        .filter(TokensReader::isReadable)
        .findFirst();
  }

  private static boolean isReadable(TensorEntry tensor) {
    StorageExtent storage = tensor.storage();
    List<Long> shape = tensor.shape();
    boolean isList = shape.size() == 1 || (shape.size() == 2 && shape.get(0) == 1);
    if (storage == null
        || storage.fileOffset() < 0
        || !isList
        || !WIDTHS.containsKey(tensor.dtype())) {
      return false;
    }
    long tokens = shape.get(shape.size() - 1);
    long step = tensor.stride().get(shape.size() - 1);
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    return tokens <= MOST_TOKENS
        && (step == 1 || tokens <= 1)
        && tensor.offset() >= 0
        && tensor.offset() <= storage.storedBytes() / width - tokens;
  }

  private static ByteRange range(TensorEntry tensor) {
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    long tokens = tensor.shape().get(tensor.shape().size() - 1);
    StorageExtent storage = tensor.storage();
    long start = storage == null ? 0 : storage.fileOffset();
    return new ByteRange(start + tensor.offset() * width, (int) tokens * width);
  }

  private static long[] numbers(TensorEntry tensor, byte[] bytes) {
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    long[] numbers = new long[bytes.length / width];
    for (int index = 0; index < numbers.length; index++) {
      long number = tensor.dtype().startsWith("int") ? bytes[(index + 1) * width - 1] : 0;
      for (int each = width - 1; each >= 0; each--) {
        number = (number << 8) | (bytes[index * width + each] & 0xFF);
      }
      numbers[index] = number;
    }
    return numbers;
  }
}
