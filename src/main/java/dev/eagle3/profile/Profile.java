package dev.eagle3.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the user wants, complete and checked. Paths are absolute paths of the host, without a slash
 * at the end.
 *
 * @param host the host, if one was named; the command of {@code via}, cut, if it alone was
 * @param via the command that reaches it, if one was given
 * @param extractor name or file of the extractor
 * @param python interpreter of the job
 * @param script extraction script
 * @param modelPath model folder
 * @param preparedData tokenized samples
 * @param outputDir where the script saves its files
 * @param logFile where the user looks for the log
 * @param batchSize samples a batch
 * @param maxSeqLen most tokens a sample
 * @param tpSize tensor parallel size: how many GPUs
 * @param gpuMemoryUtilization a share as it was written, {@code 0.80}; empty for the script's own
 * @param layers layer ids in the order in which they were given
 * @param cudaHome CUDA_HOME of the job
 * @param env variables of the job: their values, or empty for the host's own
 * @param gpus indices of the GPUs to use; empty for the first {@code tpSize}
 * @param clearGpus safe, all or none
 * @param previousOutput set-aside, delete or keep
 * @param onBad auto, stop or warn
 * @param stateDir folder of the state on the host
 * @param setup shell lines before the job
 * @param wrap words before the interpreter
 * @param flags what is said about flags of the script, by name with dashes
 * @param args further arguments of the script
 * @param origins for each key that was given: the file and line, flag or variable
 */
public record Profile(
    Optional<String> host,
    Optional<String> via,
    String extractor,
    String python,
    String script,
    String modelPath,
    String preparedData,
    String outputDir,
    String logFile,
    int batchSize,
    int maxSeqLen,
    int tpSize,
    Optional<String> gpuMemoryUtilization,
    List<Integer> layers,
    Optional<String> cudaHome,
    Map<String, Optional<String>> env,
    List<Integer> gpus,
    String clearGpus,
    String previousOutput,
    String onBad,
    Optional<String> stateDir,
    List<String> setup,
    List<String> wrap,
    Map<String, FlagOverride> flags,
    List<String> args,
    Map<String, String> origins) {

  /** Copies the lists and maps, whose order stays. */
  public Profile {
    layers = List.copyOf(layers);
    env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    gpus = List.copyOf(gpus);
    setup = List.copyOf(setup);
    wrap = List.copyOf(wrap);
    flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
    args = List.copyOf(args);
    origins = Map.copyOf(origins);
  }
}
