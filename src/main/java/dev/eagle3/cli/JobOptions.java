package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is extracted, and with what: the flags of the extraction script, and what is around it. */
final class JobOptions {
  private static final String KEEP = "keep";
  private static final String SCRIPT_ARGUMENTS = "--";

  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec command;

  @Option(
      names = {"--layers", "--layer-ids"},
      paramLabel = "ID",
      parameterConsumer = LayerWords.class,
      description = "Layer ids to save: 2 30 58 60, or 2,30,58,60.")
  List<String> layers = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      description = "A built-in profile, or a YAML file (default: kimi-k2.5).")
  @Nullable String profile;

  @Option(
      names = "--extractor",
      paramLabel = "NAME|FILE",
      description = "What the script is: a built-in extractor, or a YAML file.")
  @Nullable String extractor;

  @Option(names = "--model-path", paramLabel = "DIR", description = "The model, on the host.")
  @Nullable String modelPath;

  @Option(
      names = "--prepared-data",
      paramLabel = "FILE",
      description = "The tokenized samples, on the host.")
  @Nullable String preparedData;

  @Option(
      names = "--output-dir",
      paramLabel = "DIR",
      description = "Where the hidden states are saved, on the host.")
  @Nullable String outputDir;

  @Option(names = "--batch-size", paramLabel = "N", description = "Samples a batch.")
  @Nullable String batchSize;

  @Option(names = "--max-seq-len", paramLabel = "N", description = "Most tokens a sample.")
  @Nullable String maxSeqLen;

  @Option(
      names = "--tp-size",
      paramLabel = "N",
      description = "Tensor parallel size: how many GPUs.")
  @Nullable String tpSize;

  @Option(
      names = "--gpu-memory-utilization",
      paramLabel = "SHARE",
      description = "Share of GPU memory to use, for example 0.80.")
  @Nullable String gpuMemoryUtilization;

  @Option(
      names = "--script",
      paramLabel = "FILE",
      description = "The extraction script, on the host.")
  @Nullable String script;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description = "The interpreter that runs it, on the host.")
  @Nullable String python;

  @Option(names = "--cuda-home", paramLabel = "DIR", description = "CUDA_HOME of the job.")
  @Nullable String cudaHome;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "Becomes a link to the log of the newest run.")
  @Nullable String logFile;

  @Option(
      names = "--env",
      paramLabel = "K=V|K",
      description = "A variable of the job: with a value, or taken over from the host's own.")
  List<String> env = new ArrayList<>();

  @Option(
      names = "--gpus",
      paramLabel = "0,1,...",
      description = "CUDA_VISIBLE_DEVICES (default: the first --tp-size).")
  @Nullable String gpus;

  @Option(
      names = "--clear-gpus",
      paramLabel = "safe|all|none",
      description =
          "What may be ended to free the GPUs: safe ends what dead runs left there and asks about"
              + " others, all asks about whatever has any GPU open, none does not look.")
  @Nullable String clearGpus;

  @Option(
      names = "--previous-output",
      paramLabel = "set-aside|delete|keep",
      description =
          "What becomes of files in the output folder: set-aside renames the folder; delete does"
              + " so, too, and deletes it once the first new sample is good; keep leaves good files"
              + " in place for a script that goes on with them, and takes bad ones out.")
  @Nullable String previousOutput;

  @Option(names = "--resume", description = "The same as --previous-output keep.")
  boolean resume;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  @Parameters(
      paramLabel = "ARG",
      description = "After --: further arguments of the script, as they are.")
  List<String> scriptArguments = new ArrayList<>();

  /**
   * The words of the flags that were given, by their profile key.
   *
   * @throws Failure {@code USAGE} for flags that contradict each other, and for words that are no
   *     flags
   */
  Map<String, List<String>> words() {
    refuseStrayWords();
    if (resume && previousOutput != null && !previousOutput.equals(KEEP)) {
      throw Failure.of(
              Exit.USAGE,
              "--resume",
              "keeps previous output, and --previous-output " + previousOutput + " does not")
          .orTry("one of the two");
    }
    Map<String, List<String>> words = new LinkedHashMap<>();
    put(words, "extractor", extractor);
    put(words, "model-path", modelPath);
    put(words, "prepared-data", preparedData);
    put(words, "output-dir", outputDir);
    put(words, "batch-size", batchSize);
    put(words, "max-seq-len", maxSeqLen);
    put(words, "tp-size", tpSize);
    put(words, "gpu-memory-utilization", gpuMemoryUtilization);
    put(words, "script", script);
    put(words, "python", python);
    put(words, "cuda-home", cudaHome);
    put(words, "log-file", logFile);
    put(words, "gpus", gpus);
    put(words, "clear-gpus", clearGpus);
    put(words, "previous-output", resume ? KEEP : previousOutput);
    put(words, "state-dir", stateDir);
    put(words, "layers", layers);
    put(words, "env", env);
    put(words, "args", scriptArguments);
    return words;
  }

  /** A slip of the pen (a layer id that is none) is not for the script to find out. */
  private void refuseStrayWords() {
    if (command == null || scriptArguments.isEmpty()) {
      return;
    }
    List<String> typed = command.commandLine().getParseResult().originalArgs();
    int mark = typed.indexOf(SCRIPT_ARGUMENTS);
    int meant = mark < 0 ? 0 : typed.size() - mark - 1;
    if (scriptArguments.size() > meant) {
      throw Failure.of(
              Exit.USAGE,
              Secrets.arguments(scriptArguments).get(0),
              "belongs to no flag; what is meant for the script comes after --")
          .orTry(command.qualifiedName() + " --help");
    }
  }

  private static void put(Map<String, List<String>> words, String key, @Nullable String value) {
    if (value != null) {
      words.put(key, List.of(value));
    }
  }

  private static void put(Map<String, List<String>> words, String key, List<String> values) {
    if (!values.isEmpty()) {
      words.put(key, values);
    }
  }
}
