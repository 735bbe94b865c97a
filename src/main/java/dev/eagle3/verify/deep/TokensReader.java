package dev.eagle3.verify.deep;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the token ids and the loss mask of a file, in one call. */
public final class TokensReader {
  private static final int MOST_TOKENS = 1 << 20;
  private static final int MOST_SAMPLES = 4096;
  private static final Set<String> IDS = Set.of("input_ids", "token_ids");
  private static final Set<String> MASK = Set.of("loss_mask");

  /** Bytes of an element. */
  private static final Map<String, Integer> WIDTHS =
      Map.of("int64", 8, "int32", 4, "int16", 2, "int8", 1, "uint8", 1, "bool", 1);

  private final FileTree files;

  /** Reads through {@code files}, which stays open. */
  public TokensReader(FileTree files) {
    this.files = files;
  }

  /**
   * What the file says of each of its samples: one, or several of one length. None when it holds no
   * ids as schemas have them.
   */
  public List<Tokens> read(TensorFile file) throws IOException {
    Optional<TensorEntry> ids = list(file, IDS);
    if (ids.isEmpty()) {
      return List.of();
    }
    Optional<TensorEntry> mask =
        list(file, MASK).filter(tensor -> elements(tensor) == elements(ids.get()));
    List<ByteRange> ranges = new ArrayList<>();
    ranges.add(range(ids.get()));
    mask.ifPresent(tensor -> ranges.add(range(tensor)));
    List<byte[]> answers = files.read(file.name(), ranges);
    long[] all = numbers(ids.get(), answers.get(0));
    long[] masks = mask.isPresent() ? numbers(mask.get(), answers.get(1)) : new long[0];
    int samples = samples(ids.get());
    int each = all.length / Math.max(1, samples);
    List<Tokens> tokens = new ArrayList<>();
    for (int from = 0; tokens.size() < samples; from += each) {
      tokens.add(
          Tokens.of(
              Arrays.copyOfRange(all, from, from + each),
              masks.length == all.length
                  ? Arrays.copyOfRange(masks, from, from + each)
                  : new long[0]));
    }
    return tokens;
  }

  /** The one tensor {@code [T]} or {@code [n, T]} of a name, if its values can be read. */
  private static Optional<TensorEntry> list(TensorFile file, Set<String> names) {
    return file.tensors().stream()
        .filter(tensor -> names.contains(tensor.path()))
        .filter(TokensReader::isReadable)
        .findFirst();
  }

  private static boolean isReadable(TensorEntry tensor) {
    StorageExtent storage = tensor.storage();
    int rank = tensor.shape().size();
    if (storage == null
        || storage.fileOffset() < 0
        || rank < 1
        || rank > 2
        || !WIDTHS.containsKey(tensor.dtype())) {
      return false;
    }
    long tokens = tensor.shape().get(rank - 1);
    long samples = rank == 1 ? 1 : tensor.shape().get(0);
    boolean together =
        (tokens <= 1 || tensor.stride().get(rank - 1) == 1)
            && (samples <= 1 || tensor.stride().get(0) == tokens);
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    return together
        && samples <= MOST_SAMPLES
        && tokens <= MOST_TOKENS / Math.max(1, samples)
        && tensor.offset() >= 0
        && tensor.offset() <= storage.storedBytes() / width - tokens * samples;
  }

  private static int samples(TensorEntry ids) {
    return ids.shape().size() == 1 ? 1 : ids.shape().get(0).intValue();
  }

  private static long elements(TensorEntry tensor) {
    return tensor.shape().stream().reduce(1L, (left, right) -> left * right);
  }

  private static ByteRange range(TensorEntry tensor) {
    int width = WIDTHS.getOrDefault(tensor.dtype(), 1);
    StorageExtent storage = tensor.storage();
    long start = storage == null ? 0 : storage.fileOffset();
    return new ByteRange(start + tensor.offset() * width, (int) elements(tensor) * width);
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
