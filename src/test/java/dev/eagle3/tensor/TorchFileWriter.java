package dev.eagle3.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Writes files as {@code torch.save} does, with the layout of real torch: a dict of tensors, lists
 * of tensors and texts. Byte for byte what torch 2.14 writes, but for the serialization id.
 *
 * <pre>{@code
 * byte[] file = new TorchFileWriter("data_0")
 *     .longs("input_ids", 1, 2, 3)
 *     .layers("hidden_states", 4, "bfloat16", 3, 7168)
 *     .tensor("loss_mask", "int64", 3)
 *     .bytes();
 * }</pre>
 */
public final class TorchFileWriter {
  /** Whose layout. */
  public enum Version {
    /** Storages sorted as text, no byte order. */
    TORCH_1_13,
    /** Storages sorted as text, with byte order and an id. */
    TORCH_2_6,
    /** Storages in order. */
    TORCH_2_14
  }

  /** A storage; of zeros when it has no content. */
  private record Storage(String key, long bytes, ByteBuffer content) {}

  private final Version version;
  private final String root;
  private final List<BiConsumer<PickleWriter, List<Storage>>> entries = new ArrayList<>();
  private boolean checksums = true;
  private String byteOrder = "little";
  private int alignment = 64;

  /**
   * A file as torch 2.14 writes it.
   *
   * @param root the folder in the file: its own name without extension, or {@code archive}
   */
  public TorchFileWriter(String root) {
    this(Version.TORCH_2_14, root);
  }

  /** A file of another version. */
  public TorchFileWriter(Version version, String root) {
    this.version = version;
    this.root = root;
  }

  /** A sample in the schema of speculators: ids and mask of {@code tokens}, layers of a shape. */
  public static TorchFileWriter sample(int tokens, int layers, String dtype, long... shape) {
    return new TorchFileWriter("archive")
        .tensor("input_ids", "int64", tokens)
        .layers("hidden_states", layers, dtype, shape)
        .tensor("loss_mask", "int64", tokens);
  }

  /** Records no checksums, as {@code torch.serialization.set_crc32_options(False)} does. */
  public TorchFileWriter withoutChecksums() {
    checksums = false;
    return this;
  }

  /** Aligns contents to another multiple. */
  public TorchFileWriter alignedTo(int bytes) {
    alignment = bytes;
    return this;
  }

  /** Says that values are big-endian, as a machine of that order saves them. */
  public TorchFileWriter bigEndian() {
    byteOrder = "big";
    return this;
  }

  /** A tensor of zeros. */
  public TorchFileWriter tensor(String key, String dtype, long... shape) {
    return tensor(key, dtype, new byte[0], shape);
  }

  /** A tensor of these bytes, or of zeros if there are none. */
  public TorchFileWriter tensor(String key, String dtype, byte[] content, long... shape) {
    entries.add(
        (pickle, storages) -> {
          pickle.text(key);
          whole(pickle, storages, dtype, content, shape);
        });
    return this;
  }

  /** A tensor of int64. */
  public TorchFileWriter longs(String key, long... values) {
    ByteBuffer content =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      content.putLong(value);
    }
    return tensor(key, "int64", content.array(), values.length);
  }

  /** A list of tensors of zeros. */
  public TorchFileWriter layers(String key, int count, String dtype, long... shape) {
    return layers(key, Collections.nCopies(count, new byte[0]), dtype, shape);
  }

  /** A list of tensors, one for each content. */
  public TorchFileWriter layers(String key, List<byte[]> contents, String dtype, long... shape) {
    entries.add(
        (pickle, storages) -> {
          pickle.text(key).opcode(']').put();
          List<Runnable> items = new ArrayList<>();
          for (byte[] content : contents) {
            items.add(() -> whole(pickle, storages, dtype, content, shape));
          }
          pickle.batches(items, 'a', 'e');
        });
    return this;
  }

  /** A tensor that is a part of a storage of zeros. */
  public TorchFileWriter view(
      String key, String dtype, long elements, long offset, List<Long> shape, List<Long> stride) {
    entries.add(
        (pickle, storages) -> {
          pickle.text(key);
          view(pickle, storages, dtype, new byte[0], elements, offset, shape, stride);
        });
    return this;
  }

  /** A text. */
  public TorchFileWriter text(String key, String value) {
    entries.add((pickle, storages) -> pickle.text(key).text(value));
    return this;
  }

  /** The whole file. */
  public byte[] bytes() {
    try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
      write(out);
      return out.bytes();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Writes the file; zeros become holes where no checksum is wanted. */
  public void write(Path file) throws IOException {
    Files.deleteIfExists(file);
    try (ZipOutput out = new ZipOutput.OnDisk(file)) {
      write(out);
    }
  }

  private void write(ZipOutput out) throws IOException {
    List<Storage> storages = new ArrayList<>();
    byte[] pickle = pickle(storages);
    TorchZipWriter zip = new TorchZipWriter(out, root, alignment, checksums);
    zip.entry("data.pkl", pickle);
    if (version == Version.TORCH_2_14) {
      zip.entry(".format_version", "1");
      zip.entry(".storage_alignment", Integer.toString(alignment));
    } else {
      storages.sort(Comparator.comparing(Storage::key));
    }
    if (version != Version.TORCH_1_13) {
      zip.entry("byteorder", byteOrder);
    }
    for (Storage storage : storages) {
      if (storage.content().hasRemaining()) {
        zip.entry("data/" + storage.key(), storage.content().array());
      } else {
        zip.zeros("data/" + storage.key(), storage.bytes());
      }
    }
    zip.entry("version", "3\n");
    if (version != Version.TORCH_1_13) {
      zip.entry(".data/serialization_id", "0123456789".repeat(4));
    }
    zip.finish();
  }

  private byte[] pickle(List<Storage> storages) {
    PickleWriter pickle = new PickleWriter();
    pickle.opcode('}').put();
    List<Runnable> items = new ArrayList<>();
    for (BiConsumer<PickleWriter, List<Storage>> entry : entries) {
      items.add(() -> entry.accept(pickle, storages));
    }
    pickle.batches(items, 's', 'u');
    return pickle.stop();
  }

  private static void whole(
      PickleWriter pickle, List<Storage> storages, String dtype, byte[] content, long... shape) {
    List<Long> sizes = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    long elements = 1;
    long stride = 1;
    for (int index = shape.length - 1; index >= 0; index--) {
      sizes.add(0, shape[index]);
      strides.add(0, stride);
      elements *= shape[index];
      stride *= Math.max(1, shape[index]);
    }
    view(pickle, storages, dtype, content, elements, 0, sizes, strides);
  }

  private static void view(
      PickleWriter pickle,
      List<Storage> storages,
      String dtype,
      byte[] content,
      long elements,
      long offset,
      List<Long> shape,
      List<Long> stride) {
    String key = Integer.toString(storages.size());
    long bytes = Dtype.ofTorch(dtype).bytes(elements);
    if (bytes < 0 || (content.length > 0 && content.length != bytes)) {
      throw new IllegalArgumentException(dtype + " " + shape + " has " + bytes + " bytes");
    }
    storages.add(new Storage(key, bytes, ByteBuffer.wrap(content)));
    pickle.global("torch._utils", "_rebuild_tensor_v2").opcode('(').opcode('(');
    pickle.constant("storage").global("torch", storageClass(dtype)).text(key).constant("cpu");
    pickle.number(elements).opcode('t').put().opcode('Q');
    pickle.number(offset).tuple(shape).tuple(stride).opcode(0x89);
    pickle.global("collections", "OrderedDict").opcode(')').opcode('R').put();
    pickle.opcode('t').put().opcode('R').put();
  }

  private static String storageClass(String dtype) {
    return switch (dtype) {
      case "float64" -> "DoubleStorage";
      case "float32" -> "FloatStorage";
      case "float16" -> "HalfStorage";
      case "bfloat16" -> "BFloat16Storage";
      case "int64" -> "LongStorage";
      case "int32" -> "IntStorage";
      case "int16" -> "ShortStorage";
      case "int8" -> "CharStorage";
      case "uint8" -> "ByteStorage";
      case "bool" -> "BoolStorage";
      default -> throw new IllegalArgumentException("no storage class for " + dtype);
    };
  }
}
