package dev.eagle3.tensor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of element, in torch's words.
 *
 * @param word for example {@code bfloat16}
 * @param bits of one element in a storage; 0 when unknown
 */
record Dtype(String word, int bits) {
  /** Torch's name, bits, prefix of the storage class, name in safetensors; a dash where none. */
  private static final String[] TABLE = {
    "float64 64 Double F64",
    "float32 32 Float F32",
    "float16 16 Half F16",
    "bfloat16 16 BFloat16 BF16",
    "int64 64 Long I64",
    "int32 32 Int I32",
    "int16 16 Short I16",
    "int8 8 Char I8",
    "uint8 8 Byte U8",
    "bool 8 Bool BOOL",
    "complex64 64 ComplexFloat C64",
    "complex128 128 ComplexDouble -",
    "qint8 8 QInt8 -",
    "qint32 32 QInt32 -",
    "quint8 8 QUInt8 -",
    // Packed below a byte; their storages count bytes (itemsize is 1, c10/core/ScalarType.h).
    "quint4x2 8 QUInt4x2 -",
    "quint2x4 8 QUInt2x4 -",
    // Newer ones have no storage class: torch saves them as UntypedStorage with the dtype beside.
    "complex32 32 - -",
    "bcomplex32 32 - -",
    "uint16 16 - U16",
    "uint32 32 - U32",
    "uint64 64 - U64",
    "float8_e4m3fn 8 - F8_E4M3",
    "float8_e5m2 8 - F8_E5M2",
    "float8_e4m3fnuz 8 - F8_E4M3FNUZ",
    "float8_e5m2fnuz 8 - F8_E5M2FNUZ",
    "float8_e8m0fnu 8 - F8_E8M0",
    // Two values in one byte, which torch counts as one element and safetensors as two.
    "float4_e2m1fn_x2 8 - -",
    "bits8 8 - -",
    "bits16 16 - -",
    "bits1x8 8 - -",
    "bits2x4 8 - -",
    "bits4x2 8 - -",
    // Known to safetensors alone.
    "F4 4 - F4",
    "F6_E2M3 6 - F6_E2M3",
    "F6_E3M2 6 - F6_E3M2",
  };

  private static final Map<String, Dtype> BY_TORCH = new HashMap<>();
  private static final Map<String, Dtype> BY_STORAGE_CLASS = new HashMap<>();
  private static final Map<String, Dtype> BY_SAFETENSORS = new HashMap<>();

  static {
    for (String row : TABLE) {
      String[] cells = row.split(" ", -1);
      Dtype dtype = new Dtype(cells[0], Integer.parseInt(cells[1]));
      if (!cells[0].equals(cells[3])) {
        BY_TORCH.put(dtype.word(), dtype);
      }
      BY_STORAGE_CLASS.put(cells[2] + "Storage", dtype);
      BY_SAFETENSORS.put(cells[3], dtype);
    }
    for (int bits = 1; bits <= 7; bits++) {
      BY_TORCH.put("int" + bits, new Dtype("int" + bits, 8));
      BY_TORCH.put("uint" + bits, new Dtype("uint" + bits, 8));
    }
  }

  /** By torch's name, without {@code torch.}; an unknown one keeps its name and has no size. */
  static Dtype ofTorch(String word) {
    Dtype known = BY_TORCH.get(word);
    return known == null ? new Dtype(word, 0) : known;
  }

  static boolean isTorch(String word) {
    return BY_TORCH.containsKey(word);
  }

  /** By the storage class that a pickle names, such as {@code BFloat16Storage}. */
  static @Nullable Dtype ofStorageClass(String name) {
    return BY_STORAGE_CLASS.get(name);
  }

  /** By the name in a safetensors header, such as {@code BF16}. */
  static @Nullable Dtype ofSafetensors(String name) {
    return BY_SAFETENSORS.get(name);
  }

  /** How many elements of a tensor share one byte: 1 for all but the packed quantised ones. */
  int perByte() {
    return switch (word) {
      case "quint4x2" -> 2;
      case "quint2x4" -> 4;
      default -> 1;
    };
  }

  /** Bytes of that many elements; -1 when unknown, too many for a long, or no whole bytes. */
  long bytes(long elements) {
    if (bits == 0 || elements < 0 || Math.multiplyHigh(elements, bits) != 0) {
      return -1;
    }
    long all = elements * bits;
    return all < 0 || all % 8 != 0 ? -1 : all / 8;
  }
}
