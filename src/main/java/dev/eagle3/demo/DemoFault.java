package dev.eagle3.demo;

import dev.eagle3.cause.CauseFinder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Faults that the demo can show. Those of saved files are called by the code of their cause or
 * finding, those that end the run by a word.
 */
public enum DemoFault {
  /** The story behind the project: 771 tensors of [512] in place of 4 of [512, 7168]. */
  REPLY_UNWRAPPED("layers.reply-unwrapped"),
  /** One rank's part of the hidden dimension. */
  HIDDEN_SPLIT("layers.hidden-split"),
  /** [H, T] in place of [T, H]. */
  TRANSPOSED("layers.transposed"),
  /** [1, T, H] in place of [T, H]. */
  BATCH_KEPT("layers.batch-kept"),
  /** [B, T, H] in the file of every sample of the batch. */
  WHOLE_BATCH("layers.whole-batch"),
  /** [L, T, H] in place of a list. */
  IN_ONE_TENSOR("layers.in-one-tensor"),
  /** Every layer twice. */
  DOUBLED("layers.doubled"),
  /** An id that the model does not have was asked for. */
  NOT_CAPTURED("layers.not-captured"),
  /** Layers as wide as another tensor of the model. */
  OTHER_TENSOR("layers.other-tensor"),
  /** Views that were saved with all that they are views of; nothing is wrong with the values. */
  WHOLE_STORAGE("layers.whole-storage"),
  /** A layer that depends on the token alone. */
  EMBEDDINGS_CAPTURED("layers.embeddings-captured"),
  /** Two layers that are the same. */
  CAPTURED_TWICE("layers.captured-twice"),
  /** Infinities of float16 in one channel. */
  DTYPE_OVERFLOW("values.dtype-overflow"),
  /** Rows of zeros where tokens are. */
  NEVER_WRITTEN("values.never-written"),
  /** Every file of a batch holds the rows of the whole batch. */
  BATCH_NOT_SPLIT("set.batch-not-split"),
  /** A file a batch, and not a sample. */
  BATCH_IN_ONE_FILE("set.batch-in-one-file"),
  /** One rank's part of the tokens. */
  SPLIT_OVER_RANKS("tokens.split-over-ranks"),
  /** The last chunk of each prompt. */
  LAST_CHUNK_ONLY("tokens.last-chunk-only"),
  /** The first chunk of each prompt. */
  FIRST_CHUNK_ONLY("tokens.first-chunk-only"),
  /** One row a sample. */
  LAST_TOKEN_ONLY("tokens.last-token-only"),
  /** Rows of generated tokens behind those of the prompt. */
  GENERATED_INCLUDED("tokens.generated-included"),
  /** Rows padded to a size of a CUDA graph. */
  PADDED_TO_GRAPH_SIZE("tokens.padded-to-graph-size"),
  /** Rows padded to the longest sample of the batch. */
  PADDED_TO_BATCH("tokens.padded-to-batch"),
  /** Some samples have every row twice. */
  RECOMPUTED("tokens.recomputed"),
  /** Beginnings of prompts were in the cache. */
  PREFIX_CACHED("tokens.prefix-cached"),
  /** A layer was asked for that no numbering has. */
  OUT_OF_RANGE("layers.out-of-range"),
  /** Layers were asked for in another order than the model's. */
  UNSORTED("layers.unsorted"),
  /** Prepared data of which nobody can tell how many samples it has. */
  NOT_COUNTED("samples.not-counted"),
  /** Somebody puts another file where the log is. */
  LOG_REPLACED("log.replaced"),
  /** A folder lies where the log should be. */
  LOG_UNREADABLE("log.unreadable"),
  /** The program hangs after its first batch. */
  STALLED("run.stalled", "stalled"),
  /** A GPU has too little memory, after loading. */
  OUT_OF_MEMORY("gpu.out-of-memory", "out-of-memory"),
  /** The kernel ends a worker in the middle of the samples. */
  WORKER_DIED("run.worker-died", "worker-died"),
  /** The disk is full in the middle of a file. */
  DISK_FULL("host.disk-full", "disk-full"),
  /** A shard of the model is cut. */
  HALF_LOADED_MODEL("model.shard-broken", "half-loaded-model"),
  /** The script does not know a flag. */
  WRONG_FLAG("run.wrong-flag", "wrong-flag"),
  /** The script is killed. */
  KILLED("run.killed", "killed"),
  /** The script leaves samples out, and ends with exit code 0. */
  SAMPLES_SKIPPED("samples.skipped"),
  /** Installed versions that save wrong data together: the preflight refuses them. */
  BAD_VERSION_PAIR("bad-version-pair");

  private final String code;
  private final String word;

  DemoFault(String code) {
    this(code, code);
  }

  DemoFault(String code, String word) {
    this.code = code;
    this.word = word;
  }

  /** Whether only the values show it, so that they have to be read. */
  public boolean isOfValues() {
    return switch (this) {
      case EMBEDDINGS_CAPTURED, CAPTURED_TWICE, DTYPE_OVERFLOW, NEVER_WRITTEN -> true;
      default -> false;
    };
  }

  /** Whether the form of a sample shows it, so that the run is ended at its first ones. */
  public boolean isOfForm() {
    return CauseFinder.codes().contains(code) && !isOfValues() && this != WHOLE_STORAGE;
  }

  /** The layers that the run asks for. */
  List<String> layers() {
    return switch (this) {
      case NOT_CAPTURED -> List.of("2", "30", "58", "61");
      case OUT_OF_RANGE -> List.of("2", "30", "58", "99");
      case UNSORTED -> List.of("60", "2", "30", "58");
      default -> List.of("2", "30", "58", "60");
    };
  }

  /** The code of the cause that the fault leads to. */
  public String code() {
    return code;
  }

  /** What it is called on the command line; its code does too. */
  public String word() {
    return word;
  }

  /** The fault of a word or code. */
  public static Optional<DemoFault> named(String name) {
    return Arrays.stream(values())
        .filter(fault -> fault.code.equals(name) || fault.word.equals(name))
        .findFirst();
  }

  /** The fault of a code. */
  public static Optional<DemoFault> ofCode(String code) {
    return named(code).filter(fault -> fault.code.equals(code));
  }

  /** All codes. */
  public static List<String> codes() {
    return Arrays.stream(values()).map(DemoFault::code).toList();
  }

  /** All words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(DemoFault::word).toList();
  }
}
