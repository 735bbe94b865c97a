package dev.eagle3.verify.law;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of a model as large as Kimi-K2.5 is read to test what it predicts. */
class ModelBytesTest {
  private static final int HIDDEN_SIZE = 7168;
  private static final int VOCABULARY = 163_840;
  private static final int TOKENS = 48;
  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  private final AtomicLong ofModel = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();

  @Test
  void atTheMostFiveMebibytesOfRowsAreReadOfAModelOfAnySize() throws IOException {
    Path model = Files.createDirectory(folder.resolve("model"));
    saveModel(model);
    Path states = Files.createDirectory(folder.resolve("states"));
    for (int number = 0; number < 12; number++) {
      saveSample(states, number);
    }
    List<FileVerdict> files =
        new FolderVerifier(new LocalFileTree(), 2)
            .verify(List.of(states.toString()), Expectation.NONE, event -> {})
            .files();

    LawOutcome outcome =
        new LawVerifier(new Counting(model.toString()), 4)
            .verify(files, Optional.of(model.toString()), OptionalLong.empty(), event -> {});

    // Not for want of a head: what it says of noise is another test's.
    assertThat(outcome.findings())
        .extracting(Finding::actual)
        .noneMatch(actual -> actual.contains("was not tested"));
    assertThat(ofModel.get()).isBetween(4 * MIB, 5 * MIB + 256 * 1024);
    assertThat(calls.get()).isLessThan(30);
  }

  /** Two shards: a head of 2.3 GB, almost all of it a hole in the file; and the norm. */
  private static void saveModel(Path model) throws IOException {
    Files.writeString(
        model.resolve("config.json"),
        """
        {"text_config": {"hidden_size": %d, "num_hidden_layers": 61, "vocab_size": %d,
         "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16"}}
        """
            .formatted(HIDDEN_SIZE, VOCABULARY));
    String head = "language_model.lm_head.weight";
    String norm = "language_model.model.norm.weight";
    Files.writeString(
        model.resolve("model.safetensors.index.json"),
        """
        {"metadata": {}, "weight_map": {"%s": "b.safetensors", "%s": "a.safetensors"}}
        """
            .formatted(head, norm));
    saveTensor(model.resolve("a.safetensors"), norm, String.valueOf(HIDDEN_SIZE), 2L * HIDDEN_SIZE);
    saveTensor(
        model.resolve("b.safetensors"),
        head,
        VOCABULARY + "," + HIDDEN_SIZE,
        2L * VOCABULARY * HIDDEN_SIZE);
  }

  private static void saveTensor(Path path, String name, String shape, long bytes)
      throws IOException {
    byte[] header =
        String.format(
                "{\"%s\":{\"dtype\":\"BF16\",\"shape\":[%s],\"data_offsets\":[0,%d]}}",
                name, shape, bytes)
            .getBytes(StandardCharsets.UTF_8);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      ByteBuffer size = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      file.write(size.putLong(header.length).array());
      file.write(header);
      file.setLength(8 + header.length + bytes);
    }
  }

  private static void saveSample(Path states, int number) throws IOException {
    Random random = new Random(number);
    long[] ids = random.longs(TOKENS, 0, VOCABULARY).toArray();
    ByteBuffer values = ByteBuffer.allocate(2 * TOKENS * HIDDEN_SIZE);
    values.order(ByteOrder.LITTLE_ENDIAN);
    while (values.hasRemaining()) {
      values.putShort((short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16));
    }
    long[] mask = new long[TOKENS];
    Arrays.fill(mask, 1);
    new TorchFileWriter("data_" + number)
        .longs("input_ids", ids)
        .layers("hidden_states", List.of(values.array()), "bfloat16", TOKENS, HIDDEN_SIZE)
        .longs("loss_mask", mask)
        .write(states.resolve("data_" + number + ".pt"));
  }

  /** Counts what is read of files in one folder. */
  private final class Counting implements FileTree {
    private final FileTree files = new LocalFileTree();
    private final String counted;

    Counting(String counted) {
      this.counted = counted;
    }

    @Override
    public Optional<FileStat> stat(String path) throws IOException {
      return files.stat(path);
    }

    @Override
    public Optional<FileStat> linkStat(String path) throws IOException {
      return files.linkStat(path);
    }

    @Override
    public List<FileStat> list(String path, int most) throws IOException {
      return files.list(path, most);
    }

    @Override
    public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
      List<byte[]> read = new ArrayList<>(files.read(path, ranges));
      if (path.startsWith(counted)) {
        calls.incrementAndGet();
        read.forEach(bytes -> ofModel.addAndGet(bytes.length));
      }
      return read;
    }

    @Override
    public InputStream open(String path, long offset) throws IOException {
      InputStream in = files.open(path, offset);
      return !path.startsWith(counted)
          ? in
          : new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
              ofModel.incrementAndGet();
              return super.read();
            }

            @Override
            public int read(byte[] buffer, int from, int most) throws IOException {
              int count = super.read(buffer, from, most);
              ofModel.addAndGet(Math.max(0, count));
              return count;
            }
          };
    }

    @Override
    public void write(String path, byte[] content, int permissions) {
      throw new AssertionError("nothing is to be written");
    }

    @Override
    public void rename(String from, String to) {
      throw new AssertionError("nothing is to be renamed");
    }

    @Override
    public void close() throws IOException {
      files.close();
    }
  }
}
