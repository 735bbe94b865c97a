package dev.eagle3.cli;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.host.HostProcess;
import dev.eagle3.launchline.ArgumentReader;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.watch.LogLook;
import dev.eagle3.watch.SampleWatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job that somebody started by hand, as far as the command line of a process that writes its log
 * tells what it saves.
 *
 * @param samples what it saves, as a watch wants it
 * @param extractor what its program is
 * @param says who said so, one line
 */
record HandStartedJob(SampleWatch samples, Extractor extractor, String says) {
  private static final String OUTPUT = "output-dir";

  /** The clock of a file system may be behind that of its host. */
  private static final long SLACK_SECONDS = 2;

  /** What one process says, read with the flags of the program that fits best. */
  private record Said(HostProcess process, Map<String, List<String>> words, Extractor extractor) {}

  /** The program that is meant where nothing else is known. */
  static Extractor usual() {
    return BuiltInExtractors.usualFirst().get(0);
  }

  /**
   * Finds it among the processes that write a log.
   *
   * @param given what its program is, if the user said so
   * @param outputDir where it saves, if the user said so; wins over what the processes say
   * @return empty when nobody says where it saves
   */
  static Optional<HandStartedJob> find(
      LogLook look,
      String host,
      String log,
      Optional<Extractor> given,
      Optional<String> outputDir) {
    Optional<Said> said = said(look, given);
    if (said.isPresent()) {
      HostProcess process = said.get().process();
      String folder = outputDir.or(() -> Optional.of(path(said.get(), OUTPUT))).orElse("");
      if (folder.isEmpty()) {
        return Optional.empty();
      }
      String name = "process " + process.pid();
      OptionalLong since =
          look.now() < 0
              ? OptionalLong.empty()
              : OptionalLong.of(look.now() - process.ageSeconds() - SLACK_SECONDS);
      ExtractionPlan plan = plan(said.get(), host, log, folder);
      String from = outputDir.isPresent() ? "--output-dir" : "the command line of " + name;
      return Optional.of(
          new HandStartedJob(
              SampleWatch.ofJob(plan, name, since),
              said.get().extractor(),
              "samples are looked for in "
                  + Printable.line(folder, 300)
                  + ", as "
                  + from
                  + " says"));
    }
    Extractor program = given.orElseGet(HandStartedJob::usual);
    return outputDir.map(
        folder ->
            new HandStartedJob(
                SampleWatch.ofJob(unknown(host, log, program, folder), "", OptionalLong.empty()),
                program,
                "samples are looked for in "
                    + Printable.line(folder, 300)
                    + "; what they should look like is not known"));
  }

  /** The process that was there first: those that it started say the same, or nothing. */
  private static Optional<Said> said(LogLook look, Optional<Extractor> given) {
    List<HostProcess> processes = new ArrayList<>(look.writers());
    processes.addAll(look.near());
    if (processes.isEmpty()) {
      return Optional.empty();
    }
    List<Extractor> programs = given.map(List::of).orElseGet(BuiltInExtractors::usualFirst);
    return processes.stream()
        .sorted(Comparator.comparingLong(HostProcess::startTicks))
        .map(process -> read(process, programs))
        .filter(said -> !said.words().getOrDefault(OUTPUT, List.of()).isEmpty())
        .findFirst();
  }

  private static Said read(HostProcess process, List<Extractor> programs) {
    Extractor best = programs.get(0);
    for (Extractor other : programs) {
      if (ArgumentReader.fitness(process.arguments(), other)
          > ArgumentReader.fitness(process.arguments(), best)) {
        best = other;
      }
    }
    return new Said(process, ArgumentReader.read(process.arguments(), best), best);
  }

  private static ExtractionPlan plan(Said said, String host, String log, String folder) {
    return plan(
        host,
        log,
        said.extractor(),
        said.process().arguments(),
        path(said, "model-path"),
        path(said, "prepared-data"),
        folder,
        LayersParser.parse(said.words().getOrDefault("layers", List.of())).ids(),
        number(said, "tp-size"),
        number(said, "batch-size"),
        number(said, "max-seq-len"),
        Optional.of(said.extractor().outputs().schema()));
  }

  private static ExtractionPlan unknown(
      String host, String log, Extractor extractor, String folder) {
    return plan(
        host, log, extractor, List.of(), "", "", folder, List.of(), 0, 0, 0, Optional.empty());
  }

  /** It has no run: the id is a place holder that nobody is shown. */
  private static ExtractionPlan plan(
      String host,
      String log,
      Extractor extractor,
      List<String> arguments,
      String modelPath,
      String preparedData,
      String folder,
      List<Integer> layers,
      int tpSize,
      int batchSize,
      int maxSeqLen,
      Optional<String> schema) {
    return new ExtractionPlan(
        RunId.of(Instant.EPOCH, 0),
        host,
        extractor.name(),
        "",
        "",
        arguments,
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        modelPath,
        preparedData,
        folder,
        log,
        layers,
        tpSize,
        batchSize,
        maxSeqLen,
        List.of(),
        ClearGpus.NONE,
        PreviousOutput.SET_ASIDE,
        Optional.empty(),
        schema);
  }

  private static String path(Said said, String key) {
    List<String> words = said.words().getOrDefault(key, List.of());
    return words.isEmpty() ? "" : said.process().path(words.get(0)).orElse("");
  }

  private static int number(Said said, String key) {
    List<String> words = said.words().getOrDefault(key, List.of());
    return words.isEmpty() || !words.get(0).matches("[1-9][0-9]{0,6}")
        ? 0
        : Integer.parseInt(words.get(0));
  }
}
