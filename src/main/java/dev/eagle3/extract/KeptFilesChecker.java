package dev.eagle3.extract;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.extractor.Outputs;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.SampleShape;
import dev.eagle3.verify.Schemas;
import dev.eagle3.verify.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Verifies, before a run goes on in a folder, what stands there. Reads headers only. */
final class KeptFilesChecker {
  /** A whole file that was made by another plan: not broken, and no file of this one. */
  private static final Set<String> OTHER_PLAN = Set.of("layers.count", "layers.hidden-size");

  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;

  KeptFilesChecker(HostScripts scripts, ExtractionRequest request, EventSink sink) {
    this.scripts = scripts;
    this.request = request;
    this.plan = request.plan();
    this.sink = sink;
  }

  /**
   * What is good and bad in the output folder; blocks while headers are read. Says what that means
   * with this extraction program.
   *
   * @throws Failure {@code REFUSED} when the program does not go on with files, when somebody
   *     writes there, or when all files are of another plan; {@code LOST}
   */
  KeptFiles check() {
    if (request.resume() == Outputs.Resume.NEVER) {
      throw refused(
              plan.extractor()
                  + " starts at the first sample whatever is there, and would write over what is"
                  + " kept")
          .orTry("--previous-output set-aside");
    }
    List<FileVerdict> files = verify(List.of(plan.outputDir()));
    KeptFiles kept = kept(files);
    refuseOtherSchema(files);
    refuseOtherPlan(kept, files);
    refuseInner(kept);
    say(kept);
    return kept;
  }

  /** Of files that were bad before, those that still are. */
  Map<String, String> stillBad(Collection<String> names) {
    if (names.isEmpty()) {
      return Map.of();
    }
    List<String> paths = names.stream().map(name -> plan.outputDir() + "/" + name).toList();
    return kept(verify(paths)).bad();
  }

  private List<FileVerdict> verify(List<String> paths) {
    FileTree files = scripts.host().files();
    try {
      if (paths.size() == 1 && files.stat(paths.get(0)).isEmpty()) {
        return List.of();
      }
      Expectation expected =
          new ExpectationFinder(files)
              .find(ExpectationSources.ofRun(Expectation.NONE, plan))
              .expectation()
              .withoutSamples();
      return new FolderVerifier(files, FolderVerifier.IN_FLIGHT_REMOTE)
          .verify(paths, expected, event -> {})
          .files();
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              scripts.host().name(),
              "the connection was lost while previous output was verified: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private KeptFiles kept(List<FileVerdict> files) {
    List<String> good = new ArrayList<>();
    List<String> other = new ArrayList<>();
    Map<String, String> bad = new LinkedHashMap<>();
    for (FileVerdict file : files) {
      String name = below(file.path());
      if (name.contains("/") && !looksIntoFolders()) {
        // In a folder of the output folder: a program that resumes here does not look there.
        continue;
      }
      if (file.isBeingWritten()) {
        throw refused("somebody is writing there: " + Printable.line(name) + " grows");
      }
      if (file.verdict() == Verdict.GOOD) {
        good.add(name);
      } else if (file.verdict() == Verdict.BAD && file.isUndecided()) {
        other.add(name);
      } else if (file.verdict() == Verdict.BAD && !isGone(file)) {
        bad.put(name, firstError(file).map(KeptFilesChecker::says).orElse(file.says()));
      }
    }
    return new KeptFiles(good, other, bad);
  }

  /** The path below the output folder, which may be written with a slash at its end. */
  private String below(String path) {
    String folder = plan.outputDir().endsWith("/") ? plan.outputDir() : plan.outputDir() + "/";
    return path.startsWith(folder)
        ? path.substring(folder.length())
        : path.substring(path.lastIndexOf('/') + 1);
  }

  /** Whether the program saves its files, or some of them, in folders of the output folder. */
  private boolean looksIntoFolders() {
    return plan.schema()
        .flatMap(Schemas::named)
        .map(schema -> !schema.layout().folders().isEmpty())
        .orElse(false);
  }

  /** Quarantine takes files right from the output folder, and not from folders in it. */
  private void refuseInner(KeptFiles kept) {
    List<String> inner = kept.bad().keySet().stream().filter(name -> name.contains("/")).toList();
    if (!inner.isEmpty()) {
      throw refused(
              count(inner.size(), "bad file is", "bad files are")
                  + " in folders of it, where "
                  + plan.extractor()
                  + " would take them for done: "
                  + Printable.line(kept.namesBad(), 300))
          .orTry(
              "eagle3 verify-shapes "
                  + ShellQuote.word(plan.outputDir())
                  + " --quarantine "
                  + ShellQuote.word(plan.outputDir() + ".bad")
                  + " "
                  + request.comeBack());
    }
  }

  private void refuseOtherSchema(List<FileVerdict> files) {
    List<FileVerdict> other =
        files.stream()
            .filter(file -> file.verdict() == Verdict.GOOD)
            .filter(
                file ->
                    file.findings().stream()
                        .anyMatch(finding -> finding.code().equals("file.schema-other")))
            .toList();
    if (!other.isEmpty()) {
      String wanted = plan.schema().orElse("its own");
      throw refused(
              count(other.size(), "sample there is", "samples there are")
                  + " of "
                  + other.get(0).shape().map(SampleShape::schema).orElse("another schema")
                  + ", and "
                  + plan.extractor()
                  + " writes "
                  + wanted)
          .orTry("the --extractor that made them, or a new --output-dir");
    }
  }

  private static boolean isGone(FileVerdict file) {
    return file.findings().stream().anyMatch(finding -> finding.code().equals("file.missing"));
  }

  private void refuseOtherPlan(KeptFiles kept, List<FileVerdict> files) {
    List<FileVerdict> bad = files.stream().filter(file -> file.verdict() == Verdict.BAD).toList();
    boolean whole =
        bad.stream()
            .allMatch(
                file ->
                    file.findings().stream()
                        .filter(finding -> finding.severity() == Severity.ERROR)
                        .allMatch(finding -> OTHER_PLAN.contains(finding.code())));
    if (kept.good().isEmpty() && !kept.bad().isEmpty() && whole) {
      throw refused(
              "all samples there are whole, and of another plan: "
                  + Printable.line(kept.namesBad(), 300))
          .orTry("the --layers and --model-path that they were made with, or a new --output-dir");
    }
  }

  private void say(KeptFiles kept) {
    String stay =
        count(kept.good().size(), "good file stays", "good files stay")
            + (kept.other().isEmpty()
                ? ""
                : ", and "
                    + count(kept.other().size(), "that cannot be judged", "that cannot be judged"));
    String out =
        kept.bad().isEmpty()
            ? ""
            : "; "
                + count(kept.bad().size(), "bad one goes", "bad ones go")
                + " to quarantine ("
                + Printable.line(kept.namesBad(), 300)
                + ")";
    sink.emit(new Event.Check("output", "resume", "note", stay + out + "; " + goesOn()));
    long holes = kept.holes();
    if (request.resume() == Outputs.Resume.AFTER_HIGHEST && holes > 0) {
      sink.emit(
          new Event.Check(
              "output",
              "resume-holes",
              "warning",
              count(holes, "number is", "numbers are")
                  + " missing below the highest that stays, and "
                  + plan.extractor()
                  + " does not make them again: it goes on after the highest"));
    }
  }

  private String goesOn() {
    return request.resume() == Outputs.Resume.MISSING
        ? plan.extractor() + " makes what is missing"
        : plan.extractor() + " goes on after the highest number";
  }

  private static Optional<Finding> firstError(FileVerdict file) {
    return file.findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .findFirst();
  }

  private static String says(Finding finding) {
    return finding.code() + ", " + finding.actual();
  }

  private static String count(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private Failure refused(String why) {
    return Failure.of(Exit.REFUSED, Printable.line(plan.outputDir(), 300), why);
  }
}
