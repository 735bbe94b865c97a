package dev.eagle3.verify.law;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Event;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import dev.eagle3.verify.deep.LayerRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The real extraction from a small model in a folder, with samples that a test replaces. */
public final class TinyLm {
  static final Path MODEL = Path.of("src/test/resources/fixtures/tiny-lm/model").toAbsolutePath();
  private static final Path STATES =
      Path.of("src/test/resources/fixtures/tiny-lm/hidden_states").toAbsolutePath();
  static final int HIDDEN_SIZE = 128;
  static final int SAMPLES = 16;

  private final Path folder;
  private final List<long[]> ids = new ArrayList<>();
  private final List<float[]> states = new ArrayList<>();

  /** What a test saw. */
  record Seen(VerifyResult result, LawOutcome outcome, List<Event> events) {}

  private TinyLm(Path folder) {
    this.folder = folder;
  }

  /** All samples, as they were extracted. */
  static TinyLm in(Path folder) throws IOException {
    return in(folder, SAMPLES);
  }

  /** The first samples. */
  public static TinyLm in(Path folder, int samples) throws IOException {
    TinyLm tiny = new TinyLm(folder);
    LocalFileTree files = new LocalFileTree();
    for (int number = 0; number < samples; number++) {
      Path source = STATES.resolve("data_" + number + ".pt");
      Files.copy(source, tiny.path(number));
      FileVerdict verdict = verify(source).files().get(0);
      LawSample sample =
          new SampleOpener(files).open(verdict, OptionalLong.of(HIDDEN_SIZE)).orElseThrow();
      int rows = sample.layer().shape().get(0).intValue();
      long[] own = new long[rows];
      Arrays.setAll(own, sample::id);
      tiny.ids.add(own);
      tiny.states.add(new LayerRows(files).rows(source.toString(), sample.layer(), 0, rows));
    }
    return tiny;
  }

  Path path(int number) {
    return folder.resolve("data_" + number + ".pt");
  }

  long[] ids(int number) {
    return ids.get(number);
  }

  float[] states(int number) {
    return states.get(number);
  }

  /** States of a sample, with this many rows, from a row on; rows that it lacks are its last. */
  float[] rows(int number, int from, int count) {
    float[] source = states.get(number);
    int there = source.length / HIDDEN_SIZE;
    float[] rows = new float[count * HIDDEN_SIZE];
    for (int row = 0; row < count; row++) {
      int at = Math.max(0, Math.min(there - 1, from + row));
      System.arraycopy(source, at * HIDDEN_SIZE, rows, row * HIDDEN_SIZE, HIDDEN_SIZE);
    }
    return rows;
  }

  /** States of another layer of a sample: 0 to 3. */
  float[] layer(int number, int layer) throws IOException {
    LocalFileTree files = new LocalFileTree();
    FileStat stat = files.stat(path(number).toString()).orElseThrow();
    TensorEntry entry =
        new TensorFileReader().read(RangedBytes.of(files, stat)).under("hidden_states").get(layer);
    return new LayerRows(files).rows(stat.path(), entry, 0, ids(number).length);
  }

  /** Saves a sample anew: these ids, and these states in all four layers. */
  void save(int number, long[] newIds, float[] newStates) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(newStates.length * 2).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : newStates) {
      bytes.putShort((short) (Float.floatToRawIntBits(value) >>> 16));
    }
    long[] mask = new long[newIds.length];
    Arrays.fill(mask, 1);
    new TorchFileWriter("data_" + number)
        .longs("input_ids", newIds)
        .layers(
            "hidden_states",
            List.of(bytes.array(), bytes.array(), bytes.array(), bytes.array()),
            "bfloat16",
            newIds.length,
            HIDDEN_SIZE)
        .longs("loss_mask", mask)
        .write(path(number));
  }

  /** Gives a sample the states of another. */
  public void swap(int number, int owner) throws IOException {
    save(number, ids(number), rows(owner, 0, ids(number).length));
  }

  /** Puts the states of a sample beside its tokens. */
  void shift(int number, int rows) throws IOException {
    save(number, ids(number), rows(number, rows, ids(number).length));
  }

  /** Tests the laws on the folder, against the model or not. */
  Seen test(Optional<Path> model) throws IOException {
    return test(model, folder);
  }

  /** Tests the laws on one file or folder. */
  static Seen test(Optional<Path> model, Path path) throws IOException {
    VerifyResult result = verify(path);
    List<Event> events = new ArrayList<>();
    LawOutcome outcome =
        new LawVerifier(new LocalFileTree(), 2)
            .verify(result.files(), model.map(Path::toString), OptionalLong.empty(), events::add);
    return new Seen(outcome.addedTo(result), outcome, events);
  }

  private static VerifyResult verify(Path path) throws IOException {
    return new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
        .verify(List.of(path.toString()), Expectation.NONE, event -> {});
  }
}
