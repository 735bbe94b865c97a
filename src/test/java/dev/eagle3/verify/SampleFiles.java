package dev.eagle3.verify;

import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Builds headers of sample files for tests, as the reader of tensor files would return them. */
public final class SampleFiles {
  private final String path;
  private final ContainerKind container;
  private final List<TensorEntry> tensors = new ArrayList<>();

  private SampleFiles(String path, ContainerKind container) {
    this.path = path;
    this.container = container;
  }

  /** A torch file with nothing in it. */
  public static SampleFiles torch(String path) {
    return new SampleFiles(path, ContainerKind.TORCH_ZIP);
  }

  /** A safetensors file with nothing in it. */
  public static SampleFiles safetensors(String path) {
    return new SampleFiles(path, ContainerKind.SAFETENSORS);
  }

  /** A sample of speculators 0.3: ids and mask of {@code tokens}, {@code count} layers alike. */
  public static TensorFile sample(String path, long tokens, int count, Long... shape) {
    return torch(path)
        .tensor("input_ids", "int64", tokens)
        .layers(count, "bfloat16", shape)
        .tensor("loss_mask", "int64", tokens)
        .file();
  }

  /** A good sample of Kimi's shape. */
  public static TensorFile good(String path, long tokens) {
    return sample(path, tokens, 4, tokens, 7168L);
  }

  /** Adds a tensor under a name of its own. */
  public SampleFiles tensor(String key, String dtype, Long... shape) {
    tensors.add(entry(key, key, dtype, List.of(shape)));
    return this;
  }

  /** Adds layers to the list {@code hidden_states}. */
  public SampleFiles layers(int count, String dtype, Long... shape) {
    long there = tensors.stream().filter(tensor -> tensor.key().equals("hidden_states")).count();
    for (long index = there; index < there + count; index++) {
      String name = "hidden_states[" + index + "]";
      tensors.add(entry(name, "hidden_states", dtype, List.of(shape)));
    }
    return this;
  }

  /** The file. */
  public TensorFile file() {
    LinkedHashSet<String> keys = new LinkedHashSet<>();
    tensors.forEach(tensor -> keys.add(tensor.key()));
    return file(List.copyOf(keys));
  }

  /** The file with names of its own choice at the top. */
  public TensorFile file(List<String> keys) {
    return new TensorFile(path, container, 1000, keys, tensors, List.of(), List.of());
  }

  private static TensorEntry entry(String path, String key, String dtype, List<Long> shape) {
    List<Long> stride = new ArrayList<>(shape);
    long step = 1;
    for (int axis = shape.size() - 1; axis >= 0; axis--) {
      stride.set(axis, step);
      step *= shape.get(axis);
    }
    StorageExtent storage = new StorageExtent(path, step * 2, 64, step * 2, step * 2);
    return new TensorEntry(path, key, dtype, shape, stride, 0, storage);
  }
}
