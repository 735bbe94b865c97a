package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads the storages of a file once, in file order, and looks at all layers and checksums on the
 * way. Memory is bounded whatever the sizes are: a window of the file, and a table for each layer.
 * May be used from many threads at once.
 */
final class FileScanner {
  /** A row has to fit into the window. */
  static final int MOST_ROW_BYTES = 8 << 20;

  /** Of more rows than this in a file, the last are not compared with each other. */
  private static final long MOST_ROWS_COMPARED = 4 << 20;

  private static final int MOST_LAYERS = 4096;

  /** Each has a table of 256 KiB from its first row to its last. */
  private static final int MOST_AT_ONCE = 256;

  /** Views may overlap; a hostile header may lay millions over one storage. */
  private static final int MOST_TIMES_OVER = 4;

  private static final long FEW_BYTES = 16 << 20;

  private final FileTree files;
  private final Predicate<TensorEntry> isLayer;
  private final Windows windows = new Windows();

  /**
   * Reads through {@code files}.
   *
   * @param isLayer which matrices to look at; checksums are looked at of everything
   */
  FileScanner(FileTree files, Predicate<TensorEntry> isLayer) {
    this.files = files;
    this.isLayer = isLayer;
  }

  /**
   * Reads the file; blocks as long as that takes.
   *
   * @throws IOException when the bytes cannot be had, or the file has become shorter
   */
  FileValues scan(TensorFile file, OptionalLong hiddenSize) throws IOException {
    List<Tokens> samples = new TokensReader(files).read(file);
    SampleViews all = new SampleViews(file, samples, hiddenSize, isLayer);
    List<String> unread = new ArrayList<>(all.without());
    List<LayerScan> scans = new ArrayList<>();
    List<LayerScan> gathered = new ArrayList<>();
    Map<String, List<LayerScan>> byStorage = new HashMap<>();
    long rows = 0;
    long budget = MOST_TIMES_OVER * file.bytes() + FEW_BYTES;
    for (SampleViews.View view : all.views()) {
      TensorEntry layer = view.layer();
      String key = layer.storage() == null ? "" : layer.storage().key();
      List<LayerScan> beside = byStorage.computeIfAbsent(key, each -> new ArrayList<>());
      String why = whyUnread(layer, scans.size(), beside, budget);
      if (!why.isEmpty()) {
        unread.add(layer.path() + " " + why);
        continue;
      }
      rows += Math.min(layer.shape().get(0), MOST_ROWS_COMPARED);
      LayerScan scan = new LayerScan(layer, view.tokens(), rows <= MOST_ROWS_COMPARED);
      budget -= work(scan.place());
      scans.add(scan);
      (scan.place().isInPieces() ? beside : gathered).add(scan);
    }
    List<String> damaged = new ArrayList<>();
    try (StorageStream stream = new StorageStream(files, file.name(), windows)) {
      for (StorageExtent storage : storages(file)) {
        List<LayerScan> layers = byStorage.getOrDefault(storage.key(), List.of());
        if (!layers.isEmpty() || storage.recordedCrc() >= 0) {
          stream.read(storage, layers).ifPresent(damaged::add);
        }
      }
    }
    for (LayerScan scan : gathered) {
      gather(file, scan);
    }
    return new FileValues(
        samples,
        scans.stream().map(LayerScan::values).flatMap(Optional::stream).toList(),
        damaged,
        unread);
  }

  /** Why the values of a layer are not looked at; empty when they are. */
  private static String whyUnread(
      TensorEntry layer, int before, List<LayerScan> beside, long budget) {
    StorageExtent storage = layer.storage();
    if (storage == null || storage.fileOffset() < 0) {
      return "lies in no place that can be read";
    }
    RowPlace place = new RowPlace(layer, Element.of(layer.dtype()).orElseThrow().bytes());
    if (place.end() > storage.storedBytes()) {
      return "reaches over the end of its storage";
    }
    if (place.rowBytes() > MOST_ROW_BYTES && place.isInPieces()) {
      return "has rows of more than 8 MiB";
    }
    if (before >= MOST_LAYERS) {
      return "is more than the " + MOST_LAYERS + " layers that are looked at";
    }
    if (beside.stream().filter(each -> each.place().overlaps(place)).count() >= MOST_AT_ONCE) {
      return "lies among more than " + MOST_AT_ONCE + " layers that would be looked at together";
    }
    if (place.rows() > 0 && work(place) / place.rows() > budget / place.rows()) {
      return "lies over values that were looked at often enough";
    }
    if (!place.isInPieces() && !LayerRows.canReadAll(layer)) {
      return "lies by columns, and is too large to be put in order";
    }
    return "";
  }

  /** How many bytes it takes to look at the layer. */
  private static long work(RowPlace place) {
    long row = place.columns() * place.elementBytes();
    // Rows without values have to be gone through as well.
    return row < 0 || place.rows() > Long.MAX_VALUE / Math.max(64, row)
        ? Long.MAX_VALUE
        : place.rows() * Math.max(64, row);
  }

  private static List<StorageExtent> storages(TensorFile file) {
    Set<String> seen = new HashSet<>();
    List<StorageExtent> storages = new ArrayList<>();
    for (TensorEntry tensor : file.tensors()) {
      StorageExtent storage = tensor.storage();
      if (storage != null && storage.fileOffset() >= 0 && seen.add(storage.key())) {
        storages.add(storage);
      }
    }
    storages.sort(Comparator.comparingLong(StorageExtent::fileOffset));
    return storages;
  }

  /** Reads a layer that lies by columns, and takes its rows as if it did not. */
  private void gather(TensorFile file, LayerScan scan) throws IOException {
    RowPlace place = scan.place();
    byte[] rows = new LayerRows(files).bytes(file.name(), scan.layer(), 0, (int) place.rows());
    scan.takeAll(ByteBuffer.wrap(rows).order(ByteOrder.LITTLE_ENDIAN));
  }
}
