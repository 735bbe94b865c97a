package dev.eagle3.verify.deep;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A sample whose values have places in a tree: of one within gzip, those in what it inflates to.
 */
final class OpenedSample implements Closeable {
  /** What a zip has beside its storages. */
  private static final long FEW_BYTES = 64 << 20;

  private final FileTree files;
  private final TensorFile header;
  private final boolean isInflated;

  private OpenedSample(FileTree files, TensorFile header, boolean isInflated) {
    this.files = files;
    this.header = header;
    this.isInflated = isInflated;
  }

  /**
   * Opens a sample; inflates it once where that is needed.
   *
   * @param files stays open
   * @return empty for gzip data that inflates to more than its header tells of
   * @throws IOException as {@link InflatedFile#of}
   */
  static Optional<OpenedSample> of(FileTree files, FileStat file, TensorFile header)
      throws IOException {
    if (header.container() != ContainerKind.TORCH_ZIP_IN_GZIP) {
      return Optional.of(new OpenedSample(files, header, false));
    }
    Optional<InflatedFile> inflated = InflatedFile.of(files, file, declared(header) + FEW_BYTES);
    if (inflated.isEmpty()) {
      return Optional.empty();
    }
    FileStat whole = inflated.get().stat();
    TensorFile content = new TensorFileReader().read(RangedBytes.of(inflated.get(), whole));
    return Optional.of(new OpenedSample(inflated.get(), content, true));
  }

  private static long declared(TensorFile header) {
    Set<String> seen = new HashSet<>();
    long bytes = 0;
    for (TensorEntry tensor : header.tensors()) {
      StorageExtent storage = tensor.storage();
      if (storage != null && seen.add(storage.key())) {
        bytes += Math.min(Long.MAX_VALUE / 4 - bytes, Math.max(0, storage.declaredBytes()));
      }
    }
    return bytes;
  }

  /** Where its bytes are read, under its path. */
  FileTree files() {
    return files;
  }

  /** What is in it, with places in {@link #files}. */
  TensorFile header() {
    return header;
  }

  /** Whether it was inflated. */
  boolean isInflated() {
    return isInflated;
  }

  @Override
  public void close() throws IOException {
    if (isInflated) {
      files.close();
    }
  }
}
