package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Inputs of the fuzzing; each is made from its seed alone. */
public final class FuzzInputs {
  /** Larger originals would only slow it down. */
  private static final int MOST_BYTES = 48 * 1024;

  /** Magic number, version and facts of the system, as in a legacy file. */
  private static final String LEGACY =
      "\200\002\212\012\154\374\234\106\371\040\152\250\120\031.\200\002M\351\003.\200\002}q\000.";

  private final List<String> names =
      Stream.of("torch-1.13", "torch-2.11", "torch-2.14", "corrupt", "hostile")
          .flatMap(Fixtures::in)
          .filter(name -> Fixtures.bytes(name).length <= MOST_BYTES)
          .toList();

  private final List<byte[]> originals = names.stream().map(Fixtures::bytes).toList();

  /** An input, by the name that it goes by. */
  public static final class Input {
    private final String kind;
    private final byte[] content;

    Input(String kind, byte[] content) {
      this.kind = kind;
      this.content = content;
    }

    /** What was done to what. */
    public String kind() {
      return kind;
    }

    /** The file. */
    public byte[] content() {
      return content;
    }
  }

  /** The input of a seed. */
  public Input of(long seed) {
    Random random = new Random(seed);
    // The first numbers of close seeds are close.
    random.nextLong();
    return switch (random.nextInt(8)) {
      case 0 -> new Input("pickle in a zip", zip(random));
      case 1 -> new Input("pickle in a legacy file", legacy(random));
      case 2 -> gzip(random);
      case 3 ->
          random.nextInt(4) == 0
              ? new Input("pickle alone", new PickleGenerator(random).pickle())
              : safetensors(random);
      default -> mutated(random);
    };
  }

  private Input mutated(Random random) {
    int original = random.nextInt(originals.size());
    byte[] content = new Mutator(random).damaged(originals.get(original));
    return new Input("mutated " + kind(names.get(original)), content);
  }

  private static String kind(String name) {
    return name.endsWith(".safetensors")
        ? "safetensors"
        : name.endsWith(".gz") ? "gzip" : name.contains("leg") ? "legacy file" : "zip";
  }

  private Input safetensors(Random random) {
    List<String> all = names.stream().filter(name -> name.endsWith(".safetensors")).toList();
    byte[] original = originals.get(names.indexOf(all.get(random.nextInt(all.size()))));
    return new Input("mutated safetensors", new Mutator(random).damaged(original));
  }

  /** A mutated file within gzip, which may be mutated too. */
  private Input gzip(Random random) {
    byte[] content = random.nextBoolean() ? mutated(random).content() : zip(random);
    byte[] packed = gzip(content);
    return random.nextBoolean()
        ? new Input("mutated file in gzip", packed)
        : new Input("mutated gzip", new Mutator(random).damaged(packed));
  }

  private static byte[] zip(Random random) {
    byte[][] storages = new byte[random.nextInt(4)][];
    for (int index = 0; index < storages.length; index++) {
      storages[index] = new byte[random.nextInt(3) * 8];
    }
    return TorchFiles.with(new PickleGenerator(random).pickle(), storages);
  }

  private static byte[] legacy(Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(TorchFiles.pickle(LEGACY));
    out.writeBytes(new PickleGenerator(random).pickle());
    StringBuilder list = new StringBuilder("\200\002](");
    int keys = random.nextInt(5);
    for (int key = 0; key < keys; key++) {
      list.append("X\001\000\000\000").append(key);
    }
    out.writeBytes(TorchFiles.pickle(list + "e."));
    for (int key = 0; key < keys; key++) {
      out.writeBytes(new LittleEndian().i64(random.nextInt(5)).toBytes());
      out.writeBytes(new byte[random.nextInt(20)]);
    }
    return out.toByteArray();
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }
}
