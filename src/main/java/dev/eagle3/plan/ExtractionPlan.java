package dev.eagle3.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One launch, resolved: all that the steps of an extraction need, as pure data. All paths are
 * absolute paths of the host.
 *
 * @param run id of the run
 * @param host the host as the user named it
 * @param extractor name of the extractor that the script is
 * @param python interpreter of the job
 * @param script extraction script
 * @param scriptArguments everything after the script on its command line, in order
 * @param environment variables of the job that the user or the profile set, in order, values whole
 * @param environmentByName variables taken over from the host's own environment by name
 * @param setup shell lines that run before the job, in its shell
 * @param wrap words put before the interpreter ({@code apptainer exec --nv IMG})
 * @param cudaHome CUDA_HOME of the job
 * @param modelPath model folder
 * @param preparedData tokenized samples
 * @param outputDir where the script saves its files
 * @param logFile the log path that the user named; becomes a link to the run's own log
 * @param layers layer ids as the user gave them
 * @param tpSize tensor parallel size: how many GPUs
 * @param batchSize samples a batch
 * @param maxSeqLen most tokens a sample
 * @param gpus CUDA_VISIBLE_DEVICES; empty for the first {@code tpSize}
 * @param clearGpus what to do with processes that hold the GPUs
 * @param previousOutput what becomes of what stands in the output folder
 * @param stateDir folder of the state; empty for {@code $HOME/.eagle3} of the host
 * @param schema name of the schema that the extractor writes; empty when a plan does not say
 * @param onBad the word for what becomes of the run when its samples are bad, for its guard; empty
 *     when a plan does not say
 */
public record ExtractionPlan(
    RunId run,
    String host,
    String extractor,
    String python,
    String script,
    List<String> scriptArguments,
    Map<String, String> environment,
    List<String> environmentByName,
    List<String> setup,
    List<String> wrap,
    Optional<String> cudaHome,
    String modelPath,
    String preparedData,
    String outputDir,
    String logFile,
    List<Integer> layers,
    int tpSize,
    int batchSize,
    int maxSeqLen,
    List<Integer> gpus,
    ClearGpus clearGpus,
    PreviousOutput previousOutput,
    Optional<String> stateDir,
    Optional<String> schema,
    Optional<String> onBad) {

  /** Copies the lists and the map, whose order stays. */
  public ExtractionPlan {
    scriptArguments = List.copyOf(scriptArguments);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    environmentByName = List.copyOf(environmentByName);
    setup = List.copyOf(setup);
    wrap = List.copyOf(wrap);
    layers = List.copyOf(layers);
    gpus = List.copyOf(gpus);
  }

  /** A plan that does not say what becomes of the run when its samples are bad. */
  public ExtractionPlan(
      RunId run,
      String host,
      String extractor,
      String python,
      String script,
      List<String> scriptArguments,
      Map<String, String> environment,
      List<String> environmentByName,
      List<String> setup,
      List<String> wrap,
      Optional<String> cudaHome,
      String modelPath,
      String preparedData,
      String outputDir,
      String logFile,
      List<Integer> layers,
      int tpSize,
      int batchSize,
      int maxSeqLen,
      List<Integer> gpus,
      ClearGpus clearGpus,
      PreviousOutput previousOutput,
      Optional<String> stateDir,
      Optional<String> schema) {
    this(
        run,
        host,
        extractor,
        python,
        script,
        scriptArguments,
        environment,
        environmentByName,
        setup,
        wrap,
        cudaHome,
        modelPath,
        preparedData,
        outputDir,
        logFile,
        layers,
        tpSize,
        batchSize,
        maxSeqLen,
        gpus,
        clearGpus,
        previousOutput,
        stateDir,
        schema,
        Optional.empty());
  }

  /** The same plan, which says what becomes of the run when its samples are bad. */
  public ExtractionPlan withOnBad(String word) {
    return new ExtractionPlan(
        run,
        host,
        extractor,
        python,
        script,
        scriptArguments,
        environment,
        environmentByName,
        setup,
        wrap,
        cudaHome,
        modelPath,
        preparedData,
        outputDir,
        logFile,
        layers,
        tpSize,
        batchSize,
        maxSeqLen,
        gpus,
        clearGpus,
        previousOutput,
        stateDir,
        schema,
        Optional.of(word));
  }

  /** A plan that does not say which schema its extractor writes. */
  public ExtractionPlan(
      RunId run,
      String host,
      String extractor,
      String python,
      String script,
      List<String> scriptArguments,
      Map<String, String> environment,
      List<String> environmentByName,
      List<String> setup,
      List<String> wrap,
      Optional<String> cudaHome,
      String modelPath,
      String preparedData,
      String outputDir,
      String logFile,
      List<Integer> layers,
      int tpSize,
      int batchSize,
      int maxSeqLen,
      List<Integer> gpus,
      ClearGpus clearGpus,
      PreviousOutput previousOutput,
      Optional<String> stateDir) {
    this(
        run,
        host,
        extractor,
        python,
        script,
        scriptArguments,
        environment,
        environmentByName,
        setup,
        wrap,
        cudaHome,
        modelPath,
        preparedData,
        outputDir,
        logFile,
        layers,
        tpSize,
        batchSize,
        maxSeqLen,
        gpus,
        clearGpus,
        previousOutput,
        stateDir,
        Optional.empty());
  }
}
