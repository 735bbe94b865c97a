package dev.eagle3.verify.law;

import dev.eagle3.expect.HeadConfig;
import dev.eagle3.expect.HeadConfigReader;
import dev.eagle3.expect.ShardIndexReader;
import dev.eagle3.expect.UnreadableJsonException;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.verify.deep.LayerRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the head of a model in its safetensors, and reads the norm before it. */
final class HeadFinder {
  private static final Set<String> PLAIN = Set.of("bfloat16", "float16", "float32");
  private static final String EXTENSION = ".safetensors";
  private static final long MOST_HIDDEN_SIZE = 1 << 16;

  private final FileTree files;
  private final TensorFileReader headers = new TensorFileReader();

  HeadFinder(FileTree files) {
    this.files = files;
  }

  /**
   * The head of the model in {@code folder}.
   *
   * @throws UnusableModelException when there is none that plain numbers can be read of
   */
  HeadPlace find(String folder) throws IOException, UnusableModelException {
    try {
      HeadConfig config =
          new HeadConfigReader(files)
              .read(folder)
              .orElseThrow(() -> new UnusableModelException("it has no config.json"));
      if (config.normEpsilon().isEmpty()) {
        throw new UnusableModelException("its config.json names no epsilon of an RMSNorm");
      }
      return place(folder, config, config.normEpsilon().getAsDouble());
    } catch (UnreadableJsonException broken) {
      throw new UnusableModelException("a JSON file of it " + broken.getMessage());
    }
  }

  private HeadPlace place(String folder, HeadConfig config, double epsilon)
      throws IOException, UnusableModelException {
    Map<String, String> shards = shards(folder);
    List<String> names = List.copyOf(shards.keySet());
    String norm =
        HeadNames.find(names.stream(), HeadNames.NORM)
            .orElseThrow(() -> new UnusableModelException("no last norm (norm.weight) was found"));
    Optional<String> own = HeadNames.find(names.stream(), HeadNames.HEAD);
    if (own.isEmpty() && HeadNames.isHeadQuantised(names)) {
      throw new UnusableModelException("its head is quantised");
    }
    String name =
        own.or(
                () ->
                    config.isTied()
                        ? HeadNames.find(names.stream(), HeadNames.EMBEDDINGS)
                        : Optional.empty())
            .orElseThrow(() -> new UnusableModelException("it has no lm_head.weight"));
    Map<String, TensorFile> read = new HashMap<>();
    TensorEntry head = entry(folder, shards, name, read);
    TensorEntry weights = entry(folder, shards, norm, read);
    if (head.shape().size() != 2 || !weights.shape().equals(head.shape().subList(1, 2))) {
      throw new UnusableModelException(
          "its head " + head.shape() + " and norm " + weights.shape() + " do not fit");
    }
    if (head.shape().get(1) > MOST_HIDDEN_SIZE || !LayerRows.canRead(head)) {
      throw new UnusableModelException("its head " + head.shape() + " cannot be read");
    }
    return new HeadPlace(
        folder + "/" + shards.get(name),
        head,
        norm(folder + "/" + shards.get(norm), weights, config.isNormOffset()),
        epsilon);
  }

  /** The file of each tensor that may be wanted, by the index or by the one file there is. */
  private Map<String, String> shards(String folder) throws IOException, UnusableModelException {
    Optional<Map<String, String>> indexed =
        new ShardIndexReader(files).find(folder, HeadNames::mayBe);
    if (indexed.isPresent()) {
      return indexed.get();
    }
    String only = "model" + EXTENSION;
    Map<String, String> shards = new HashMap<>();
    for (String name : header(folder + "/" + only).keys()) {
      if (HeadNames.mayBe(name)) {
        shards.put(name, only);
      }
    }
    return shards;
  }

  private TensorFile header(String path) throws IOException, UnusableModelException {
    Optional<FileStat> there = files.stat(path);
    if (there.isEmpty() || there.get().kind() != FileKind.FILE) {
      throw new UnusableModelException("there is no " + path);
    }
    TensorFile file = headers.read(RangedBytes.of(files, there.get()));
    if (file.findings().stream().anyMatch(found -> found.severity() == Severity.ERROR)) {
      throw new UnusableModelException(path + " is damaged: " + file.findings().get(0).actual());
    }
    return file;
  }

  private TensorEntry entry(
      String folder, Map<String, String> shards, String name, Map<String, TensorFile> read)
      throws IOException, UnusableModelException {
    String path = folder + "/" + shards.get(name);
    TensorFile file = read.get(path);
    if (file == null) {
      file = header(path);
      read.put(path, file);
    }
    TensorEntry entry =
        file.tensors().stream()
            .filter(tensor -> tensor.path().equals(name))
            .findFirst()
            .orElseThrow(() -> new UnusableModelException(path + " has no " + name));
    if (!PLAIN.contains(entry.dtype())) {
      throw new UnusableModelException("its " + name + " is quantised (" + entry.dtype() + ")");
    }
    return entry;
  }

  private float[] norm(String path, TensorEntry weights, boolean isOffset)
      throws IOException, UnusableModelException {
    List<Long> matrix = new ArrayList<>(List.of(1L));
    matrix.addAll(weights.shape());
    TensorEntry row =
        new TensorEntry(
            weights.path(),
            weights.key(),
            weights.dtype(),
            matrix,
            List.of(weights.shape().get(0), 1L),
            weights.offset(),
            weights.storage());
    if (!LayerRows.canRead(row)) {
      throw new UnusableModelException("its last norm cannot be read");
    }
    float[] norm = new LayerRows(files).rows(path, row, 0, 1);
    for (int index = 0; isOffset && index < norm.length; index++) {
      norm[index] += 1;
    }
    return norm;
  }
}
