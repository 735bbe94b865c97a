package dev.eagle3.profile;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A key of profiles, which is the flag of the same name for most.
 *
 * @param <T> what its value is read as
 * @param name the key
 * @param type the type as {@code docs/profile.md} says it
 * @param reader reads a value
 */
record ProfileKey<T>(String name, String type, ValueReader<T> reader) {
  static final ProfileKey<String> HOST = new ProfileKey<>("host", "host", ScalarReaders::host);
  static final ProfileKey<String> VIA =
      new ProfileKey<>("via", "shell command", ScalarReaders::text);
  static final ProfileKey<String> EXTRACTOR =
      new ProfileKey<>("extractor", "name or file", ScalarReaders::text);
  static final ProfileKey<String> PYTHON = path("python");
  static final ProfileKey<String> SCRIPT = path("script");
  static final ProfileKey<String> MODEL_PATH = path("model-path");
  static final ProfileKey<String> PREPARED_DATA = path("prepared-data");
  static final ProfileKey<String> OUTPUT_DIR = path("output-dir");
  static final ProfileKey<Integer> BATCH_SIZE = count("batch-size");
  static final ProfileKey<Integer> MAX_SEQ_LEN = count("max-seq-len");
  static final ProfileKey<Integer> TP_SIZE = count("tp-size");
  static final ProfileKey<String> GPU_MEMORY_UTILIZATION =
      new ProfileKey<>("gpu-memory-utilization", "number over 0, up to 1", ScalarReaders::share);
  static final ProfileKey<List<Integer>> LAYERS =
      new ProfileKey<>("layers", "list of whole numbers", ListReaders::layers);
  static final ProfileKey<String> CUDA_HOME = path("cuda-home");
  static final ProfileKey<String> LOG_FILE = path("log-file");
  static final ProfileKey<Map<String, Optional<String>>> ENV =
      new ProfileKey<>("env", "map, or list of NAME=value and NAME", MapReaders::environment);
  static final ProfileKey<List<Integer>> GPUS =
      new ProfileKey<>("gpus", "list of whole numbers", ListReaders::gpus);
  static final ProfileKey<String> CLEAR_GPUS =
      new ProfileKey<>(
          "clear-gpus", "safe, all or none", ScalarReaders.choice(List.of("safe", "all", "none")));
  static final ProfileKey<String> PREVIOUS_OUTPUT =
      new ProfileKey<>(
          "previous-output",
          "set-aside, delete or keep",
          ScalarReaders.choice(List.of("set-aside", "delete", "keep")));
  static final ProfileKey<String> ON_BAD =
      new ProfileKey<>(
          "on-bad", "auto, stop or warn", ScalarReaders.choice(List.of("auto", "stop", "warn")));
  static final ProfileKey<String> STATE_DIR = path("state-dir");
  static final ProfileKey<List<String>> SETUP =
      new ProfileKey<>("setup", "list of shell lines", ListReaders::texts);
  static final ProfileKey<List<String>> WRAP =
      new ProfileKey<>("wrap", "list of words, or one text", ListReaders::words);
  static final ProfileKey<Map<String, FlagOverride>> FLAGS =
      new ProfileKey<>("flags", "map", MapReaders::flags);
  static final ProfileKey<List<String>> ARGS =
      new ProfileKey<>("args", "list of texts", ListReaders::texts);

  /** All keys, in the order of {@code docs/profile.md}. */
  static final List<ProfileKey<?>> ALL =
      List.of(
          HOST,
          VIA,
          EXTRACTOR,
          PYTHON,
          SCRIPT,
          MODEL_PATH,
          PREPARED_DATA,
          OUTPUT_DIR,
          BATCH_SIZE,
          MAX_SEQ_LEN,
          TP_SIZE,
          GPU_MEMORY_UTILIZATION,
          LAYERS,
          CUDA_HOME,
          LOG_FILE,
          ENV,
          GPUS,
          CLEAR_GPUS,
          PREVIOUS_OUTPUT,
          ON_BAD,
          STATE_DIR,
          SETUP,
          WRAP,
          FLAGS,
          ARGS);

  /** Keys without which there is no plan. */
  static final List<ProfileKey<?>> REQUIRED =
      List.of(
          EXTRACTOR,
          PYTHON,
          SCRIPT,
          MODEL_PATH,
          PREPARED_DATA,
          OUTPUT_DIR,
          BATCH_SIZE,
          MAX_SEQ_LEN,
          TP_SIZE,
          LAYERS,
          LOG_FILE,
          CLEAR_GPUS,
          PREVIOUS_OUTPUT,
          ON_BAD);

  /** The names of all keys. */
  static List<String> names() {
    return ALL.stream().<String>map(ProfileKey::name).toList();
  }

  /** The key of a name. */
  static Optional<ProfileKey<?>> named(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  private static ProfileKey<String> path(String name) {
    return new ProfileKey<>(name, "absolute path", ScalarReaders::path);
  }

  private static ProfileKey<Integer> count(String name) {
    return new ProfileKey<>(name, "whole number", ScalarReaders::count);
  }
}
