package dev.eagle3.verify.deep;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Samples with values of a test's choice, good unless the test changes something. */
final class DeepSamples {
  static final int CHANNELS = 16;

  private final Path folder;
  private final List<Event> events = new ArrayList<>();

  DeepSamples(Path folder) {
    this.folder = folder;
  }

  /** A sample before it is saved. */
  static final class Sample {
    final long[] ids;
    final long[] mask;
    final float[][][] layers;
    String dtype = "bfloat16";

    private Sample(long seed, int tokens, int layerCount) {
      Random random = new Random(seed);
      ids = IntStream.range(0, tokens).mapToLong(token -> 100 + random.nextInt(1000)).toArray();
      mask = new long[tokens];
      Arrays.fill(mask, 1);
      layers = new float[layerCount][tokens][CHANNELS];
      for (float[][] layer : layers) {
        for (float[] row : layer) {
          for (int channel = 0; channel < CHANNELS; channel++) {
            row[channel] = (float) random.nextGaussian();
          }
        }
      }
    }

    byte[] content(int layer) {
      float[] all = new float[ids.length * CHANNELS];
      for (int row = 0; row < ids.length; row++) {
        System.arraycopy(layers[layer][row], 0, all, row * CHANNELS, CHANNELS);
      }
      return Values.of(dtype, all);
    }
  }

  /** A good sample: 12 tokens, 3 layers. */
  static Sample sample(long seed) {
    return sample(seed, 12, 3);
  }

  /** A good sample. */
  static Sample sample(long seed, int tokens, int layers) {
    return new Sample(seed, tokens, layers);
  }

  /** Saves it in the schema of speculators. */
  Path save(String name, Sample sample) throws IOException {
    List<byte[]> contents =
        IntStream.range(0, sample.layers.length).mapToObj(sample::content).toList();
    Path path = folder.resolve(name);
    new TorchFileWriter("archive")
        .longs("input_ids", sample.ids)
        .layers("hidden_states", contents, sample.dtype, sample.ids.length, CHANNELS)
        .longs("loss_mask", sample.mask)
        .write(path);
    return path;
  }

  /** What deep verification of the folder finds, without notes on what all files agree on. */
  List<Finding> found() throws IOException {
    verify();
    return events.stream()
        .filter(Event.Found.class::isInstance)
        .map(event -> ((Event.Found) event).finding())
        .filter(finding -> finding.severity() != Severity.NOTE)
        .toList();
  }

  /** The notes. */
  List<Finding> notes() throws IOException {
    verify();
    return events.stream()
        .filter(Event.Found.class::isInstance)
        .map(event -> ((Event.Found) event).finding())
        .filter(finding -> finding.severity() == Severity.NOTE)
        .toList();
  }

  VerifyResult verify() throws IOException {
    events.clear();
    LocalFileTree files = new LocalFileTree();
    return new FolderVerifier(files, 2, new DeepVerifier(files, path -> true))
        .verify(List.of(folder.toString()), Expectation.NONE, events::add);
  }
}
