package dev.eagle3.expect;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ExtractionPlan;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds what the files of an extraction should hold. Value by value the first place wins: flags,
 * the run's plan (with the number of samples from its prepared data), the model's {@code
 * config.json}, the sidecars in the folder. What no place says stays empty, and is left to what the
 * files agree on.
 */
public final class ExpectationFinder {
  private final FileTree files;
  private final ModelConfigReader configs;
  private final SidecarReader sidecars;

  /** Reads through {@code files}, which stays open. */
  public ExpectationFinder(FileTree files) {
    this.files = files;
    this.configs = new ModelConfigReader(files);
    this.sidecars = new SidecarReader(files);
  }

  /**
   * Blocks for a few round trips, and for the bytes of the prepared data where that is a JSON Lines
   * file of up to 64 MiB.
   *
   * @throws IOException when the connection is gone; a place that is missing or unreadable is a
   *     finding instead
   */
  public FoundExpectation find(ExpectationSources sources) throws IOException {
    List<Finding> findings = new ArrayList<>();
    List<Finding> ofSidecars = new ArrayList<>();
    Expectation noted =
        sources.outputFolder().isPresent()
            ? readSidecars(sources.outputFolder().get(), ofSidecars)
            : Expectation.NONE;
    Expectation found = sources.flags();
    if (sources.plan().isPresent()) {
      ExtractionPlan plan = sources.plan().get();
      found = found.orElse(ofPlan(plan, sources.planName()));
      if (found.samples().isEmpty()) {
        found = found.orElse(countSamples(plan, findings));
      }
    }
    if (sources.modelPath().isPresent()) {
      Optional<ModelConfig> config = readConfig(sources.modelPath().get(), findings);
      // A program that notes the dtype beside its files converts to it, whatever the model has.
      found = found.orElse(noted.onlyDtype());
      found = found.orElse(config.map(ExpectationFinder::ofConfig).orElse(Expectation.NONE));
      if (sources.plan().isPresent()) {
        findings.addAll(LayerIds.check(sources.plan().get(), config));
      }
    }
    findings.addAll(ofSidecars);
    return new FoundExpectation(found.orElse(noted), findings);
  }

  private static Expectation ofPlan(ExtractionPlan plan, String run) {
    Expectation said = Expectation.NONE;
    if (!plan.layers().isEmpty()) {
      // Extractors keep the ids in a set: an id given twice is captured once.
      int distinct = (int) plan.layers().stream().distinct().count();
      said =
          said.withLayers(distinct, run + ", layers " + LayerIds.words(plan.layers()))
              .withLayerIds(plan.layers(), run);
    }
    if (plan.schema().isPresent()) {
      said = said.withPlannedSchema(plan.schema().get(), run + ", extractor " + plan.extractor());
    }
    if (plan.batchSize() > 0) {
      said = said.withBatchSize(plan.batchSize(), run);
    }
    return plan.maxSeqLen() > 0 ? said.withMaxTokens(plan.maxSeqLen(), run) : said;
  }

  private static Expectation ofConfig(ModelConfig config) {
    Expectation said =
        Expectation.NONE
            .withHiddenSize(config.hiddenSize(), config.source())
            .withModelLayers(config.layers(), config.source())
            .withOtherSizes(config.otherSizes());
    Expectation sized =
        config.vocabulary().map(size -> said.withVocabulary(size, config.source())).orElse(said);
    return config.dtype().map(name -> sized.withDtype(name, config.source())).orElse(sized);
  }

  private Expectation countSamples(ExtractionPlan plan, List<Finding> findings) throws IOException {
    String path = plan.preparedData();
    if (path.isEmpty()) {
      return Expectation.NONE;
    }
    if (SampleLimits.areIn(plan.scriptArguments())) {
      findings.add(
          note(
              "samples.not-counted",
              path,
              "the script's own arguments say which samples it takes"));
      return Expectation.NONE;
    }
    try {
      Optional<FileStat> there = files.stat(path);
      if (there.isEmpty()) {
        findings.add(note("samples.not-counted", path, "it is not there any more"));
        return Expectation.NONE;
      }
      OptionalLong count =
          SampleCounter.counts(there.get())
              ? new SampleCounter(files).count(there.get())
              : OptionalLong.empty();
      if (count.isPresent()) {
        return Expectation.NONE.withSamples(count.getAsLong(), path);
      }
      findings.add(
          note(
              "samples.not-counted",
              path,
              there.get().kind() == FileKind.FOLDER
                  ? "it is a folder, as of an Arrow data set, which is not read: the samples were"
                      + " not compared with it"
                  : there.get().bytes() > SampleCounter.MOST_BYTES
                      ? "its " + there.get().bytes() + " bytes are too many to read for a number"
                      : "it is no JSON Lines file"));
    } catch (NoSuchFileException | AccessDeniedException unreadable) {
      findings.add(note("samples.not-counted", path, "it cannot be read"));
    }
    return Expectation.NONE;
  }

  private Optional<ModelConfig> readConfig(String modelPath, List<Finding> findings)
      throws IOException {
    try {
      Optional<ModelConfig> config = configs.read(modelPath);
      if (config.isEmpty()) {
        findings.add(
            note(
                "model.sizes-unknown",
                modelPath,
                "there is no config.json that says hidden_size and num_hidden_layers"));
      }
      return config;
    } catch (UnreadableJsonException broken) {
      findings.add(
          Finding.of(
              "model.config-unreadable",
              Severity.WARNING,
              modelPath + "/config.json",
              "a JSON object",
              "it " + broken.getMessage()));
    } catch (NoSuchFileException | AccessDeniedException unreadable) {
      findings.add(note("model.sizes-unknown", modelPath, "its config.json cannot be read"));
    }
    return Optional.empty();
  }

  private Expectation readSidecars(String folder, List<Finding> findings) throws IOException {
    Expectation said = Expectation.NONE;
    try {
      said = sidecars.readDataConfig(folder);
      said = said.orElse(sidecars.readSampleLengths(folder));
      said = said.orElse(sidecars.readManifest(folder));
      return said.orElse(new SampleManifestReader(files).read(folder));
    } catch (UnreadableJsonException broken) {
      findings.add(note("sidecar.unreadable", folder, "a sidecar " + broken.getMessage()));
    } catch (NoSuchFileException | AccessDeniedException unreadable) {
      findings.add(note("sidecar.unreadable", folder, "a sidecar cannot be read"));
    }
    return said;
  }

  private static Finding note(String code, String subject, String actual) {
    return Finding.of(code, Severity.NOTE, subject, "", actual);
  }
}
