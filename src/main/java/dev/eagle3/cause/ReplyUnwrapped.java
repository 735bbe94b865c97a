package dev.eagle3.cause;

import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleName;
import dev.eagle3.verify.SampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code layers.reply-unwrapped}: the reply of a tensor-parallel worker was unwrapped once too
 * often.
 *
 * <p>vLLM 0.11 answers {@code collective_rpc(..., unique_reply_rank=0)} with a list of one reply,
 * and speculators 0.3.0 takes {@code [0]} of it; vLLM 0.12 and later answers with the bare reply, a
 * list of layers {@code [C, H]}, C being the tokens of the whole batch. There {@code [0]} is the
 * first layer. Going through it gives its C token rows {@code [H]}, and the slice that was to cut
 * the rows of a sample out of a layer, {@code [offset : offset + T]}, cuts the hidden dimension of
 * each row instead. So each sample i of the batch is saved as C tensors {@code [min(T_i, H −
 * offset_i)]}, or {@code [0]} beyond H. Both sides of that are checked, for every file of a batch.
 */
final class ReplyUnwrapped implements CauseRule {
  /**
   * Sums of fewer tokens than this may agree by chance, as with 4 layers of 4 tokens. As a number
   * of layers it is more than anybody saves.
   */
  private static final int SURELY_NO_LAYERS = 128;

  /** What holds where the number of layers is known to be another one. */
  private static final int SURELY_NO_CHANCE = 8;

  @Override
  public String code() {
    return "layers.reply-unwrapped";
  }

  @Override
  public Optional<Cause> find(Symptoms symptoms) {
    List<RowFile> files = new ArrayList<>();
    for (FileVerdict file : symptoms.files()) {
      rowFile(file, symptoms).ifPresent(files::add);
    }
    OptionalLong hiddenSize =
        symptoms
            .expected()
            .hiddenSize()
            .map(size -> OptionalLong.of(size.value()))
            .orElse(OptionalLong.empty());
    List<Batch> batches = new BatchSplitter(hiddenSize).split(files);
    if (!isProof(batches, symptoms)) {
      return Optional.empty();
    }
    List<String> subjects =
        batches.stream().flatMap(batch -> batch.files().stream()).map(RowFile::path).toList();
    return Optional.of(
        new Cause(
            code(),
            "the reply of the tensor-parallel worker was unwrapped once too often, so each token row"
                + " of the first layer was saved as if it were a layer. The hidden dimension is cut"
                + " and the other layers are gone: these files are worthless",
            ReplyEvidence.of(
                batches, symptoms.expected().batchSize(), files.size() - subjects.size()),
            "vllm_hidden_states_generator.py takes [0] of the reply of"
                + " collective_rpc(..., unique_reply_rank=...)",
            "drop that [0]: since vLLM 0.12 the reply is no longer in a list of its own. speculators"
                + " 0.4 has the change (pull request 225) and takes vLLM 0.12 to 0.16; speculators"
                + " 0.3 needs vLLM 0.11.0. Then extract again",
            subjects));
  }

  private static boolean isProof(List<Batch> batches, Symptoms symptoms) {
    long sums = batches.stream().map(Batch::tensors).distinct().count();
    int largest = batches.stream().mapToInt(Batch::tensors).max().orElse(0);
    boolean layersKnown = symptoms.expected().layers().isPresent();
    return sums > 1 || largest > (layersKnown ? SURELY_NO_CHANCE : SURELY_NO_LAYERS);
  }

  /** The file as rows of one length, if it holds nothing but that. */
  private static Optional<RowFile> rowFile(FileVerdict file, Symptoms symptoms) {
    if (file.shape().isEmpty()) {
      return Optional.empty();
    }
    SampleShape shape = file.shape().get();
    Optional<List<Long>> layer = shape.layerShape().filter(sizes -> sizes.size() == 1);
    boolean rightCount =
        symptoms.expected().layers().filter(count -> count.value() == shape.layers()).isPresent();
    if (layer.isEmpty() || rightCount || shape.tokens().orElse(0) < 1) {
      return Optional.empty();
    }
    return Optional.of(
        new RowFile(
            file.path(),
            SampleName.of(file.path()),
            shape.layers(),
            layer.get().get(0),
            shape.tokens().getAsLong()));
  }

  /**
   * A file that holds tensors of rank 1, all of one length.
   *
   * @param path its path
   * @param name its name in parts
   * @param tensors how many tensors
   * @param length of each of them
   * @param tokens T of the sample, from its own token ids
   */
  record RowFile(String path, SampleName name, int tensors, long length, long tokens) {
    /** Whether {@code next} may be the next sample of the same batch. */
    boolean isFollowedBy(RowFile next) {
      boolean numbersFollow =
          name.number().isEmpty()
              || next.name.number().isEmpty()
              || next.name.number().getAsLong() == name.number().getAsLong() + 1;
      return name.folder().equals(next.name.folder())
          && name.prefix().equals(next.name.prefix())
          && numbersFollow;
    }
  }

  /**
   * The files of one batch.
   *
   * @param files in the order of the batch
   * @param hiddenSize H as it cut the last of them; empty when nothing did
   */
  record Batch(List<RowFile> files, OptionalLong hiddenSize) {
    int tensors() {
      return files.get(0).tensors();
    }
  }
}
