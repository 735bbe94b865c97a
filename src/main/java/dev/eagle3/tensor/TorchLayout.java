package dev.eagle3.tensor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How torch lays out a file, so that every offset and the size follow from the pickle alone ({@code
 * caffe2/serialize/inline_container.cc}; arithmetic checked against files of torch 1.13, 2.6, 2.11
 * and 2.14). Each entry is a local header, padding that aligns the content, the content, and a data
 * descriptor.
 */
final class TorchLayout {
  static final int DEFAULT_ALIGNMENT = 64;

  private static final long ZIP64_FROM = 0xffff_ffffL;
  private static final int DIRECTORY_HEADER_BYTES = 46;
  private static final int TRAILER_BYTES =
      ZipTrailer.ZIP64_END_BYTES + ZipTrailer.LOCATOR_BYTES + ZipTrailer.END_BYTES;

  /** Which entries stand beside the pickle and the storages, by the versions that write them. */
  enum Writer {
    /** Up to 2.0. */
    TORCH_1,
    /** Some version after 2.0, up to 2.6. */
    TORCH_2,
    /** From 2.7 on: storages in the order of the pickle. */
    TORCH_2_7;

    private List<String> before() {
      return switch (this) {
        case TORCH_1 -> List.of();
        case TORCH_2 -> List.of("byteorder");
        case TORCH_2_7 -> List.of(".format_version", ".storage_alignment", "byteorder");
      };
    }

    private List<String> after() {
      return this == TORCH_1 ? List.of("version") : List.of("version", ".data/serialization_id");
    }

    /** The writer whose second entry, after the pickle, is this one. */
    static Writer ofSecond(String name) {
      return switch (name) {
        case ".format_version" -> TORCH_2_7;
        case "byteorder" -> TORCH_2;
        default -> TORCH_1;
      };
    }
  }

  private static final Map<String, Integer> FIXED_BYTES =
      Map.of(
          ".format_version", 1,
          "byteorder", "little".length(),
          "version", 2,
          ".data/serialization_id", 40);

  /** An entry in its place. */
  record Placed(String name, long dataOffset, long bytes) {
    long end() {
      return dataOffset + bytes;
    }
  }

  /**
   * A whole file.
   *
   * @param placed all entries, in file order
   * @param fileBytes its size
   */
  record Plan(List<Placed> placed, long directoryOffset, long fileBytes) {}

  private TorchLayout() {}

  /** Where the content of an entry starts whose local header stands at {@code header}. */
  static long dataOffset(long header, int nameBytes, long bytes, int alignment) {
    int big = bytes >= ZIP64_FROM ? 16 : 0;
    int far = header >= ZIP64_FROM ? 8 : 0;
    int zip64 = big + far == 0 ? 0 : 4 + big + far;
    long start = header + ZipRecord.LOCAL_HEADER_BYTES + nameBytes + 4 + zip64;
    return (start + alignment - 1) / alignment * alignment;
  }

  /** Where the next local header stands. */
  static long next(long header, long dataOffset, long bytes) {
    if (bytes == 0) {
      return dataOffset;
    }
    return dataOffset + bytes + (bytes >= ZIP64_FROM || header >= ZIP64_FROM ? 24 : 16);
  }

  /**
   * Lays out a file.
   *
   * @param root the folder that all entries share, without slash
   * @param storages in the order in which the pickle names them, all of known size
   */
  static Plan plan(
      String root,
      long pickleBytes,
      List<StorageReference> storages,
      Writer writer,
      int alignment) {
    List<Placed> wanted = new ArrayList<>();
    wanted.add(new Placed("data.pkl", 0, pickleBytes));
    for (String name : writer.before()) {
      wanted.add(new Placed(name, 0, fixedBytes(name, alignment)));
    }
    List<StorageReference> ordered = new ArrayList<>(storages);
    if (writer != Writer.TORCH_2_7) {
      ordered.sort(Comparator.comparing(StorageReference::key));
    }
    for (StorageReference storage : ordered) {
      wanted.add(new Placed("data/" + storage.key(), 0, storage.declaredBytes()));
    }
    for (String name : writer.after()) {
      wanted.add(new Placed(name, 0, fixedBytes(name, alignment)));
    }
    return place(root, wanted, alignment);
  }

  private static Plan place(String root, List<Placed> wanted, int alignment) {
    int rootBytes = utf8Bytes(root) + 1;
    List<Placed> placed = new ArrayList<>(wanted.size());
    long header = 0;
    long directoryBytes = 0;
    for (Placed entry : wanted) {
      int nameBytes = rootBytes + utf8Bytes(entry.name());
      long data = dataOffset(header, nameBytes, entry.bytes(), alignment);
      placed.add(new Placed(entry.name(), data, entry.bytes()));
      int big = entry.bytes() >= ZIP64_FROM ? 16 : 0;
      int far = header >= ZIP64_FROM ? 8 : 0;
      directoryBytes += DIRECTORY_HEADER_BYTES + nameBytes + (big + far == 0 ? 0 : 4 + big + far);
      header = next(header, data, entry.bytes());
    }
    return new Plan(placed, header, header + directoryBytes + TRAILER_BYTES);
  }

  private static long fixedBytes(String name, int alignment) {
    Integer fixed = FIXED_BYTES.get(name);
    return fixed == null ? Integer.toString(alignment).length() : fixed;
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
