package dev.eagle3.verify;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells by a file's name whether it is a sample, and if not, what else it is known to be. */
public final class NameRules {
  private static final Set<String> OTHER_TENSORS =
      Set.of(
          "token_freq.pt",
          "vocab_mapping.pt",
          "d2t.pt",
          "t2d.pt",
          "target_embeddings.safetensors",
          "target_weights.safetensors");
  private static final Set<String> SIDECARS =
      Set.of(
          "data_config.json",
          "sample_lengths.json",
          "d2t.npy",
          "t2d.npy",
          "dataset.json",
          "manifest.json",
          "manifest.jsonl");

  /** {@code data_1 (1).pt}, {@code data_1 copy.pt}, {@code data_1 - Copy.pt}. */
  private static final Pattern COPY =
      Pattern.compile(
          "^.*( \\([0-9]+\\)| copy( [0-9]+)?| - Copy( \\([0-9]+\\))?)\\.[a-z]+(\\.gz)?$");

  /** What TensorRT-LLM writes before ModelOpt's script renames it to the conversation's name. */
  private static final Pattern REMNANT = Pattern.compile("^dp_[0-9]+_[0-9]+\\.pt$");

  private static final List<String> UNFINISHED =
      List.of(".tmp", ".temp", ".part", ".partial", ".swp", ".crdownload", ".filepart");

  private NameRules() {}

  /** Whether a file of this name is taken for a sample. */
  public static boolean isSample(String name) {
    return whyNoSample(name).isEmpty();
  }

  /** Why a file of this name is no sample; empty for a sample. */
  static Optional<String> whyNoSample(String name) {
    if (name.startsWith(".nfs")) {
      return Optional.of("a deleted file that a process of an NFS client still holds");
    }
    if (name.startsWith("._")) {
      return Optional.of("attributes of a file, written by macOS");
    }
    if (name.startsWith(".")) {
      return Optional.of("a hidden file");
    }
    if (SIDECARS.contains(name)) {
      return Optional.of("a sidecar of the extractor");
    }
    if (OTHER_TENSORS.contains(name)) {
      return Optional.of("a table of the vocabulary, no sample");
    }
    if (isCopy(name)) {
      return Optional.of("a copy that no extractor names so");
    }
    if (UNFINISHED.stream().anyMatch(name::endsWith)) {
      return Optional.of("a temporary file");
    }
    if (name.endsWith(".lock")) {
      return Optional.of("a lock");
    }
    if (name.startsWith("dp_") && REMNANT.matcher(name).matches()) {
      return Optional.of("a file of TensorRT-LLM that was not given its name: a crash left it");
    }
    if (name.startsWith("RAY_CHECK_")) {
      return Optional.of("a mark of Ray");
    }
    if (isArrow(name)) {
      return Optional.of("an Arrow data set, which is not read");
    }
    if (isLog(name)) {
      return Optional.of("a log");
    }
    return Schemas.KNOWN_EXTENSIONS.stream().anyMatch(name::endsWith)
        ? Optional.empty()
        : Optional.of(FileVerdict.UNKNOWN_NAME);
  }

  /** Files of runs that lie among the samples. */
  private static boolean isLog(String name) {
    return name.endsWith(".log")
        || name.endsWith(".out")
        || name.endsWith(".err")
        || (name.startsWith("log_ray_") && name.endsWith(".txt"));
  }

  /** What a folder of this name is known to hold beside samples; empty when it may be anything. */
  static Optional<String> whatFolder(String name) {
    return switch (name) {
      case "vocab_mapping" -> Optional.of("a folder of tables of the vocabulary");
      case "_tmp" -> Optional.of(FileVerdict.UNFINISHED_FOLDER);
      default -> Optional.empty();
    };
  }

  /** Whether the name is that of a part of an Arrow data set, or of its description. */
  static boolean isArrow(String name) {
    return name.endsWith(".arrow") || name.equals("dataset_info.json") || name.equals("state.json");
  }

  /** Whether the name is that of a copy which a browser or a file manager made. */
  static boolean isCopy(String name) {
    return name.indexOf(' ') >= 0 && COPY.matcher(name).matches();
  }
}
