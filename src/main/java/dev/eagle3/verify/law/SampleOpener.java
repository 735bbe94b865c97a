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
import dev.eagle3.verify.Schema;
import dev.eagle3.verify.Schemas;
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
    boolean wrong = file.findings().stream().anyMatch(found -> found.severity() == Severity.ERROR);
    // Rows are read as little-endian.
    if (wrong || file.isBigEndian()) {
      return Optional.empty();
    }
    Optional<Schema> schema = verdict.shape().flatMap(shape -> Schemas.named(shape.schema()));
    List<TensorEntry> tensors = schema.map(of -> file.under(of.tokensKey())).orElse(List.of());
    if (schema.isEmpty() || tensors.size() != 1 || !isList(tensors.get(0))) {
      return Optional.empty();
    }
    int[] ids = ids(verdict.path(), tensors.get(0));
    return last(file, schema.get(), ids.length, hiddenSize)
        .map(layer -> new LawSample(verdict.path(), ids, layer));
  }

  /** The layer under the key for the last one; where a schema has none, the last of all layers. */
  private static Optional<TensorEntry> last(
      TensorFile file, Schema schema, int tokens, OptionalLong hiddenSize) {
    String key = schema.lastKey().orElse(schema.layersKey());
    return LayerViews.of(file, OptionalLong.of(tokens), hiddenSize).stream()
        .filter(view -> view.key().equals(key))
        .filter(view -> view.shape().get(0) >= tokens && view.shape().get(1) > 1)
        .filter(LayerRows::canRead)
        .reduce((one, next) -> next);
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
