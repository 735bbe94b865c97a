package dev.eagle3.preflight;

import dev.eagle3.expect.ModelConfig;
import dev.eagle3.expect.ModelConfigReader;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.preflight.Judgement.Verdict;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks at a host before anything on it is touched, and judges the state after the planned steps:
 * two scripts, and the model's config. Changes nothing. Refuses only what is certain to fail; what
 * may go wrong is said.
 */
public final class Preflight {
  private final HostScripts scripts;
  private final ExtractionPlan plan;
  private final PreflightRequest request;
  private final EventSink sink;
  private final InstantSource clock;

  /** A preflight of one plan, which reports what it finds. */
  public Preflight(
      HostScripts scripts,
      ExtractionPlan plan,
      PreflightRequest request,
      EventSink sink,
      InstantSource clock) {
    this.scripts = scripts;
    this.plan = plan;
    this.request = request;
    this.sink = sink;
    this.clock = clock;
  }

  /** The names of all checks, as {@code --skip} takes them. */
  public static List<String> names() {
    return Checks.ALL.stream().map(Check::name).toList();
  }

  /** The question that any shell answers, as {@code --dry-run} prints it. */
  public static ScriptCall machineCall(ExtractionPlan plan) {
    return Probe.machine(plan);
  }

  /** The question that needs an interpreter, as {@code --dry-run} prints it. */
  public static ScriptCall filesCall(ExtractionPlan plan, PreflightRequest request) {
    return Probe.files(plan, request);
  }

  /**
   * Asks the host and judges the answers; blocks for a second or two, and as long as prepared data
   * may be read.
   *
   * @param whole whether what is as it should be is said too
   * @throws Failure {@code REFUSED} with all that is certain to fail; others as {@link
   *     HostScripts#run}
   */
  public void check(boolean whole) {
    List<Refusal> refusals = new ArrayList<>();
    Situation situation = situation();
    int warnings = 0;
    int judged = 0;
    for (Check check : Checks.ALL) {
      if (request.skip().contains(check.name())) {
        emit(check, Verdict.NOTE, "skipped: --skip " + check.name());
        continue;
      }
      Judgement judgement = new Judgement();
      check.judge().judge(situation, judgement);
      judged += judgement.lines().isEmpty() ? 0 : 1;
      for (Judgement.Line line : judgement.lines()) {
        if (line.verdict() == Verdict.REFUSED) {
          refusals.add(new Refusal(check, line));
          emit(check, Verdict.REFUSED, line.says() + " [--skip " + check.name() + "]");
        } else if (whole || line.verdict() != Verdict.OK || check.name().equals("machine")) {
          emit(check, line.verdict(), line.says());
        }
        warnings += line.verdict() == Verdict.WARNING ? 1 : 0;
      }
    }
    if (!refusals.isEmpty()) {
      throw refused(refusals);
    }
    sink.emit(
        new Event.Check(
            "preflight",
            "all",
            "ok",
            judged + " checks, " + (warnings == 1 ? "1 warning" : warnings + " warnings")));
  }

  /** A check, and why it refuses. */
  private record Refusal(Check check, Judgement.Line line) {}

  private Situation situation() {
    ScriptAnswer machine = scripts.run(Probe.machine(plan));
    Rows files = new Rows(scripts.run(Probe.files(plan, request)));
    return new Situation(
        plan,
        request.extractor(),
        HostFacts.parse(machine),
        new Rows(machine),
        files,
        model(files),
        clock.instant());
  }

  /**
   * As the answer has it; where nothing answered, its file is read. Empty when it says too little.
   */
  private Optional<ModelConfig> model(Rows files) {
    if (!plan.modelPath().startsWith("/")) {
      return Optional.empty();
    }
    if (files.first("model", 1).isPresent()) {
      return ProbedModel.read(files, plan.modelPath());
    }
    try {
      return new ModelConfigReader(scripts.host().files()).read(plan.modelPath());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private void emit(Check check, Verdict verdict, String says) {
    sink.emit(new Event.Check(check.phase(), check.name(), verdict.word(), says));
  }

  private Failure refused(List<Refusal> refusals) {
    String says =
        refusals.stream()
            .map(refusal -> refusal.line().says())
            .distinct()
            .collect(Collectors.joining("; "));
    String skip =
        refusals.stream()
            .map(refusal -> "--skip " + refusal.check().name())
            .distinct()
            .collect(Collectors.joining(" "));
    String advice =
        refusals.stream()
            .map(refusal -> refusal.line().tryNext())
            .filter(text -> !text.isEmpty())
            .distinct()
            .limit(2)
            .collect(Collectors.joining("; "));
    return Failure.of(Exit.REFUSED, scripts.host().name(), says)
        .orTry((advice.isEmpty() ? "" : advice + "; or ") + skip + ", to go on all the same");
  }
}
