package dev.eagle3.cause;

import dev.eagle3.gpu.GpuHolder;
import dev.eagle3.gpu.GpuLook;
import dev.eagle3.gpu.GpuLooker;
import dev.eagle3.gpu.GpuNeed;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.log.Loss;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.KernelLooker;
import dev.eagle3.run.KernelNotes;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says why a run failed, from its state, its log, and what its host says of it. */
public final class FailedRunExplainer {
  /** Causes for which it matters who holds the GPUs besides. */
  private static final List<String> OF_MEMORY =
      List.of("gpu.memory-not-free", "gpu.out-of-memory", "gpu.kv-cache-too-small");

  private static final int MOST_HOLDERS = 5;

  private final HostScripts scripts;
  private final EventSink sink;

  /** Reports to {@code sink} what happened to a run on the host of {@code scripts}. */
  public FailedRunExplainer(HostScripts scripts, EventSink sink) {
    this.scripts = scripts;
    this.sink = sink;
  }

  /** Codes of the causes that it names without a rule of an extractor. */
  public static List<String> codes() {
    return RunCauseFinder.CODES;
  }

  /** As {@link #explain(RunStatus, LogReader, Optional)}, where the plan is not known. */
  public Exit explain(RunStatus status, LogReader log) {
    return explain(status, log, Optional.empty());
  }

  /**
   * Reports how the run ended, with the first error of its log, and the cause where it can be told;
   * of a run that ended with exit code 0 also what its log says of samples that are missing; and
   * how to end what it left behind; of one that eagle3 ended for bad samples, that. Says nothing of
   * a run that goes on, or ended well and left nothing behind. May ask the host, and blocks for
   * that.
   *
   * @param log the run's log, read to its end
   * @param plan what was launched; says whose GPUs to look at
   * @return what a command that waited for the run ends with
   */
  public Exit explain(RunStatus status, LogReader log, Optional<ExtractionPlan> plan) {
    RunState state = status.state();
    if (!state.hasEnded()) {
      return state.exit();
    }
    String run = status.folder().run().text();
    Optional<EndNote> ended = status.endedSince();
    if (ended.isPresent()) {
      return ended(status, ended.get());
    }
    if (state.exit() != Exit.DONE) {
      sink.emit(new Event.Found(ending(run, state, log)));
    }
    sayLeftBehind(status);
    RunCauseFinder causes = new RunCauseFinder("run " + run, state, log, () -> kernel(status));
    if (state.exit() != Exit.DONE) {
      causes.find().map(cause -> withHolders(cause, plan)).ifPresent(this::name);
    }
    for (Loss loss : log.losses()) {
      sink.emit(new Event.Found(missing(run, loss)));
      name(causes.lost(loss));
    }
    return state.exit() == Exit.DONE && !log.losses().isEmpty() ? Exit.WRONG : state.exit();
  }

  /** How it ended says nothing of the job: it was told to. */
  private Exit ended(RunStatus status, EndNote why) {
    String run = status.folder().run().text();
    sink.emit(
        new Event.Check(
            "run", "on-bad", "warning", "the run was ended by eagle3, since " + why.since()));
    sayLeftBehind(status);
    sink.emit(
        new Event.Hint(
            "verify what it saved, and see the cause, with",
            scripts.comeBack("verify-shapes " + run)));
    if (status.details().setAside()) {
      sink.emit(
          new Event.Hint(
              "previous output was set aside; put it back, if nothing new is good, with",
              scripts.comeBack("undo " + run)));
    }
    return Exit.WRONG;
  }

  private void sayLeftBehind(RunStatus status) {
    if (!status.state().pids().isEmpty()) {
      sink.emit(
          new Event.Hint(
              "its processes still hold what they hold; end them with",
              scripts.comeBack("stop " + status.folder().run())));
    }
  }

  private KernelNotes kernel(RunStatus status) {
    try {
      return KernelLooker.look(scripts, status.folder());
    } catch (Failure unseen) {
      return KernelNotes.NONE;
    }
  }

  private void name(Cause cause) {
    sink.emit(new Event.Named(cause));
  }

  private static Finding ending(String run, RunState state, LogReader log) {
    List<String> errors = log.lastErrors();
    return new Finding(
        "run." + state.word(),
        Severity.ERROR,
        "run " + run,
        "exit code 0",
        state.says(),
        errors.isEmpty() ? log.lastLines() : errors);
  }

  private static Finding missing(String run, Loss loss) {
    return Finding.of(
        "run.samples-missing",
        Severity.ERROR,
        "run " + run,
        "a file for every sample",
        loss.lines() == 1
            ? "a line of the log says that samples are missing"
            : loss.lines() + " lines of the log say that samples are missing");
  }

  /** Whoever holds a GPU now did so most likely when the job wanted its memory. */
  private Cause withHolders(Cause cause, Optional<ExtractionPlan> plan) {
    if (plan.isEmpty() || !OF_MEMORY.contains(cause.code())) {
      return cause;
    }
    List<String> evidence = new ArrayList<>(cause.evidence());
    evidence.addAll(holders(plan.get()));
    return new Cause(
        cause.code(), cause.says(), evidence, cause.where(), cause.fix(), cause.subjects());
  }

  private List<String> holders(ExtractionPlan plan) {
    try {
      GpuNeed need = new GpuNeed(ClearGpus.SAFE, plan.gpus(), plan.tpSize(), plan.stateDir());
      GpuLook look = GpuLooker.look(scripts, need).without(plan.run());
      List<GpuHolder> holders = look.holders();
      List<String> says = new ArrayList<>();
      holders.stream()
          .limit(MOST_HOLDERS)
          .map(holder -> "holds a GPU now: " + holder.says())
          .forEach(says::add);
      if (holders.size() > MOST_HOLDERS) {
        says.add("and " + (holders.size() - MOST_HOLDERS) + " more");
      }
      return says;
    } catch (Failure unseen) {
      // A connection that is gone is for the next step to tell; this one only adds to what is
      // known.
      return List.of();
    }
  }
}
