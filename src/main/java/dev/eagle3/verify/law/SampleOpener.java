package dev.eagle3.verify.law;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.deep.LayerRows;
import dev.eagle3.verify.deep.LayerViews;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Opens saved samples for the laws: reads the header and the token ids. For many threads. */
final class SampleOpener {
  /** Rows behind these are not looked at. */
  private static final int MOST_TOKENS = 1 << 16;

  private static final List<String> ID_KEYS = List.of("input_ids", "token_ids");

  /**
   * Names of the last layer, most telling first: {@code hidden_states} are the other layers where a
   * last one stands beside them.
   */
  private static final List<String> LAST_KEYS =
      List.of(
          "target_last_hidden_states",
          "last_hidden_states",
          "target_hiddens",
          "hidden_state",
          "hidden_states");

  private final FileTree files;
  private final TensorFileReader headers = new TensorFileReader();

  SampleOpener(FileTree files) {
    this.files = files;
  }

  /**
   * Opens a file; empty when it is no sample whose ids and last layer can be read.
   *
   * @param hiddenSize H, where it is known
   */
  Optional<LawSample> open(FileVerdict verdict, OptionalLong hiddenSize) throws IOException {
    FileStat stat = new FileStat(verdict.path(), FileKind.FILE, verdict.bytes(), 0, 0);
    TensorFile file = headers.read(RangedBytes.of(files, stat));
    if (file.findings().stream().anyMatch(found -> found.severity() == Severity.ERROR)) {
      return Optional.empty();
    }
    for (String key : ID_KEYS) {
      List<TensorEntry> tensors = file.under(key);
      if (tensors.size() == 1 && isList(tensors.get(0))) {
        int[] ids = ids(verdict.path(), tensors.get(0));
        return last(file, ids.length, hiddenSize)
            .map(layer -> new LawSample(verdict.path(), ids, layer));
      }
    }
    return Optional.empty();
  }

  private static Optional<TensorEntry> last(TensorFile file, int tokens, OptionalLong hiddenSize) {
    List<TensorEntry> views =
        LayerViews.of(file, OptionalLong.of(tokens), hiddenSize).stream()
            .filter(view -> view.shape().get(0) >= tokens && view.shape().get(1) > 1)
            .filter(LayerRows::canRead)
            .toList();
    for (String key : LAST_KEYS) {
      List<TensorEntry> layers = views.stream().filter(view -> view.key().equals(key)).toList();
      if (!layers.isEmpty()) {
        return Optional.of(layers.get(layers.size() - 1));
      }
    }
    return Optional.empty();
  }

  private static boolean isList(TensorEntry tensor) {
    List<Long> shape = tensor.shape();
    boolean flat = shape.size() == 1 || (shape.size() == 2 && shape.get(0) == 1);
    int last = shape.size() - 1;
    StorageExtent storage = tensor.storage();
    return flat
        && (tensor.dtype().equals("int64") || tensor.dtype().equals("int32"))
        && (shape.get(last) <= 1 || tensor.stride().get(last) == 1)
        && storage != null
        && storage.fileOffset() >= 0;
  }

  private int[] ids(String path, TensorEntry tensor) throws IOException {
    StorageExtent storage = tensor.storage();
    int element = tensor.dtype().equals("int64") ? Long.BYTES : Integer.BYTES;
    int count = (int) Math.min(tensor.shape().get(tensor.shape().size() - 1), MOST_TOKENS);
    if (storage == null || count == 0) {
      return new int[0];
    }
    long start = storage.fileOffset() + tensor.offset() * element;
    byte[] bytes = files.read(path, List.of(new ByteRange(start, count * element))).get(0);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int[] ids = new int[bytes.length / element];
    for (int index = 0; index < ids.length; index++) {
      long id = element == Long.BYTES ? buffer.getLong() : buffer.getInt();
      ids[index] = (int) Math.max(-1, Math.min(id, Integer.MAX_VALUE));
    }
    return ids;
  }
}
