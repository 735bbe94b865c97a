package dev.eagle3.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The weights of the demo's model: as many shards as the real one has, of one byte each. */
final class DemoShards {
  static final int COUNT = 119;

  private DemoShards() {}

  /** Writes the shards and their index into the folder of the model. */
  static void write(Path model) throws IOException {
    List<String> entries = new ArrayList<>();
    for (int number = 1; number <= COUNT; number++) {
      String tensor = "model.part." + number + ".weight";
      entries.add("    \"" + tensor + "\": \"" + name(number) + "\"");
      Files.write(model.resolve(name(number)), shard(tensor));
    }
    Files.writeString(
        model.resolve("model.safetensors.index.json"),
        "{\n  \"metadata\": {\"total_size\": "
            + COUNT
            + "},\n  \"weight_map\": {\n"
            + String.join(",\n", entries)
            + "\n  }\n}\n");
  }

  /** The file name of a shard; the first has number 1. */
  static String name(int number) {
    return String.format("model-%05d-of-%05d.safetensors", number, COUNT);
  }

  /** Eight bytes with the length of the header, the header, the tensor. */
  private static byte[] shard(String tensor) {
    byte[] header =
        ("{\"" + tensor + "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}")
            .getBytes(UTF_8);
    return ByteBuffer.allocate(Long.BYTES + header.length + 1)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .put((byte) 0)
        .array();
  }
}
