package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.preflight.Judgement.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether one pair of versions applies, and what shows it. */
final class PairJudge {
  private static final String SPAWN = "VLLM_WORKER_MULTIPROC_METHOD";

  /** States of one sample that are worth a word where they are gathered on a GPU. */
  private static final long LONG_BYTES = 1L << 30;

  private final VersionPair pair;
  private final Situation situation;
  private final Judgement judgement;

  PairJudge(VersionPair pair, Situation situation, Judgement judgement) {
    this.pair = pair;
    this.situation = situation;
    this.judgement = judgement;
  }

  void judge() {
    if (!isOfPlan(pair, situation.plan())
        || imported().filter(List::isEmpty).isPresent()
        || !modelHolds()
        || !pair.when().stream().allMatch(this::asksOfModel)) {
      return;
    }
    if (pair.sources().isEmpty()) {
      if (versionsHold() && (pair.weight() != Verdict.REFUSED || isImportMissing(""))) {
        say(weightOfImports(), versions() + pair.says());
      }
      return;
    }
    if (pair.sources().stream().anyMatch(source -> source.isScript() && !isRead(source))) {
      // Versions say nothing of a script.
      return;
    }
    List<VersionPair.Source> without =
        pair.sources().stream().filter(source -> isRead(source) && !isFound(source)).toList();
    if (unseenVersionsHold() && pair.sources().stream().allMatch(this::isFound)) {
      say(pair.weight(), evidence() + ": " + pair.says());
    } else if (versionsHold() && without.isEmpty()) {
      say(pair.weight() == Verdict.NOTE ? Verdict.NOTE : Verdict.WARNING, versions() + pair.says());
    } else if (versionsHold() && pair.weight() == Verdict.REFUSED) {
      judgement.note(
          named()
              + " are known for this: "
              + pair.says()
              + "; but "
              + without.stream()
                  .map(source -> shown(row(source).get(1)))
                  .collect(Collectors.joining(" and "))
              + " is a patched copy without it");
    }
  }

  private void say(Verdict weight, String says) {
    String whole = says + pair.report().map(report -> " (" + report + ")").orElse("");
    switch (weight) {
      case REFUSED -> judgement.refuseUnless(situation, whole, pair.tryNext());
      case WARNING -> judgement.warn(whole + "; try " + pair.tryNext());
      default -> judgement.note(whole + "; try " + pair.tryNext());
    }
  }

  /** What the script imports of the module that the pair is about; empty when it is about none. */
  private Optional<List<List<String>>> imported() {
    return pair.imports()
        .map(
            wanted ->
                situation.files().all("import", 1).stream()
                    .filter(row -> row.get(0).equals(wanted) || row.get(0).startsWith(wanted + "."))
                    .toList());
  }

  /**
   * Whether a module that it is about is not there; where it is about none, that is no question. A
   * build of a version that is to come may still have what the version will lack.
   *
   * @param state always, maybe, or empty for either
   */
  private boolean isImportMissing(String state) {
    return imported()
        .map(
            rows ->
                rows.stream()
                    .anyMatch(
                        row ->
                            row.size() > 3
                                && row.get(2).equals("missing")
                                && (state.isEmpty() || row.get(3).equals(state))))
        .orElse(true);
  }

  /** A script that catches the ImportError, or changes sys.path before, may well run. */
  private Verdict weightOfImports() {
    boolean certain =
        isImportMissing("always") && situation.files().first("path-change", 1).isEmpty();
    return pair.weight() == Verdict.REFUSED && !certain ? Verdict.WARNING : pair.weight();
  }

  /** Whether what it wants of the plan alone holds; else nobody has to be asked about it. */
  static boolean isOfPlan(VersionPair pair, ExtractionPlan plan) {
    String name = plan.script().substring(plan.script().lastIndexOf('/') + 1);
    return pair.script().map(name::contains).orElse(true)
        && pair.without().filter(flag -> isGiven(flag, plan)).isEmpty()
        && pair.when().stream().allMatch(when -> asks(when, plan));
  }

  private boolean modelHolds() {
    if (pair.models().isEmpty()) {
      return true;
    }
    List<String> types =
        Arrays.asList(situation.files().text("config", 3).orElse("").split(" ", -1));
    return types.stream().anyMatch(type -> pair.models().stream().anyMatch(type::startsWith));
  }

  private static boolean asks(String when, ExtractionPlan plan) {
    return switch (when) {
      case "batch" -> plan.batchSize() > 1;
      case "resume" -> plan.previousOutput() == PreviousOutput.KEEP;
      case "no-spawn" ->
          !plan.environment().containsKey(SPAWN) && !plan.environmentByName().contains(SPAWN);
      case "last-layer", "long" -> true;
      default -> throw new IllegalStateException("when " + when);
    };
  }

  private boolean asksOfModel(String when) {
    ExtractionPlan plan = situation.plan();
    return switch (when) {
      case "last-layer" ->
          situation.model().filter(model -> plan.layers().contains(model.layers())).isPresent();
      case "long" ->
          situation
              .model()
              .filter(model -> sampleBytes(plan, model.hiddenSize()) > LONG_BYTES)
              .isPresent();
      default -> true;
    };
  }

  private static long sampleBytes(ExtractionPlan plan, long hiddenSize) {
    return 2L * plan.maxSeqLen() * plan.layers().size() * hiddenSize;
  }

  private static boolean isGiven(String flag, ExtractionPlan plan) {
    return plan.scriptArguments().stream()
        .anyMatch(word -> word.equals(flag) || word.startsWith(flag + "="));
  }

  private boolean versionsHold() {
    return pair.packages().keySet().stream().allMatch(this::versionHolds);
  }

  /** Of packages of which no source was looked at, the version is all that is known. */
  private boolean unseenVersionsHold() {
    return pair.packages().keySet().stream()
        .filter(name -> pair.sources().stream().noneMatch(source -> source.isOf(name)))
        .allMatch(this::versionHolds);
  }

  private boolean versionHolds(String name) {
    String version = VersionChecks.installed(situation).get(name);
    VersionRange range = pair.packages().get(name);
    return version != null && range != null && range.includes(version).orElse(false);
  }

  /** What it is about, before what it says. */
  private String versions() {
    String named = named();
    return named.isEmpty() ? "" : named + ": ";
  }

  private String named() {
    Map<String, String> installed = VersionChecks.installed(situation);
    return installed.entrySet().stream()
        .filter(entry -> pair.packages().containsKey(entry.getKey()))
        .map(entry -> shown(entry.getKey()) + " " + shown(entry.getValue()))
        .collect(Collectors.joining(" with "));
  }

  private List<String> row(VersionPair.Source source) {
    String id = pair.sourceId(pair.sources().indexOf(source));
    return situation.files().named("source", id, 4).orElse(List.of());
  }

  private boolean isRead(VersionPair.Source source) {
    return !row(source).isEmpty();
  }

  private boolean isFound(VersionPair.Source source) {
    return isRead(source) && Rows.number(row(source).get(2)).orElse(0) > 0;
  }

  /** Whoever changes a file wants its path; of the others the package says most. */
  private String evidence() {
    return pair.sources().stream()
        .map(source -> source.equals(pair.sources().get(0)) ? first(source) : other(source))
        .collect(Collectors.joining("; "));
  }

  private String first(VersionPair.Source source) {
    return shown(row(source).get(1)) + ":" + shown(row(source).get(2)) + " " + source.says();
  }

  private String other(VersionPair.Source source) {
    String path = row(source).get(1);
    String place =
        shown(path.substring(path.lastIndexOf('/') + 1)) + ":" + shown(row(source).get(2));
    String name = source.packageName();
    String version = VersionChecks.installed(situation).get(name);
    return version == null
        ? place + " " + source.says()
        : (name.equals("vllm") ? "vLLM" : name)
            + " "
            + shown(version)
            + " "
            + source.says()
            + " ("
            + place
            + ")";
  }
}
