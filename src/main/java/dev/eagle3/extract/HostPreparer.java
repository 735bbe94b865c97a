package dev.eagle3.extract;

import dev.eagle3.gpu.GpuClearer;
import dev.eagle3.gpu.GpuHolder;
import dev.eagle3.gpu.GpuLook;
import dev.eagle3.gpu.GpuLooker;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.OutputRestorer;
import dev.eagle3.output.OutputSetter;
import dev.eagle3.output.SetAside;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.OutputLocker;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a host ready for a launch, and takes that back when there is none: the output folder is
 * locked, the GPUs are freed, previous output is set aside.
 */
final class HostPreparer {
  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;
  private final Questioner questioner;

  private @Nullable SetAside setAside;

  HostPreparer(
      HostScripts scripts, ExtractionRequest request, EventSink sink, Questioner questioner) {
    this.scripts = scripts;
    this.request = request;
    this.plan = request.plan();
    this.sink = sink;
    this.questioner = questioner;
  }

  /**
   * Asks, locks, frees, sets aside. Nothing is touched before the answer.
   *
   * @throws Failure when one of the steps is refused or fails; what was done before it is undone
   */
  void prepare() {
    GpuLook look = GpuLooker.look(scripts, plan);
    ask(look);
    OutputLocker.lock(scripts, plan);
    try {
      GpuClearer.clear(scripts, plan, look, sink);
      setAside = OutputSetter.setAside(scripts, plan, request.yesRemove());
      sink.emit(new Event.Check("output", "previous-output", "ok", setAside.says()));
    } catch (Failure failure) {
      undoAfter(failure);
      throw failure;
    }
  }

  /** What was set aside; empty when there was no previous output. */
  Optional<SetAside> setAside() {
    return Optional.ofNullable(setAside).filter(done -> done.aside().isPresent());
  }

  /**
   * Takes back what was done, after {@code why}. When the connection is lost nothing can be taken
   * back, and nothing is known: the next command on the host will find out.
   */
  void undoAfter(Failure why) {
    if (why.exit() == Exit.LOST) {
      sink.emit(
          new Event.Hint(
              "what became of the run is unknown; ask again with",
              "eagle3 status " + plan.run() + " " + request.comeBack()));
      return;
    }
    undo();
  }

  /** Takes back what was done. */
  void undo() {
    restore();
    try {
      OutputLocker.unlock(scripts, plan);
    } catch (Failure locked) {
      warn("unlock", locked);
    }
  }

  /** Puts previous output back, if there was any; says what it did. */
  void restore() {
    if (setAside().isEmpty()) {
      return;
    }
    try {
      sink.emit(
          new Event.Check(
              "output", "restore", "ok", OutputRestorer.restore(scripts, plan, false).says()));
    } catch (Failure failed) {
      warn("restore", failed);
      sink.emit(
          new Event.Hint(
              "put previous output back with",
              "eagle3 undo " + plan.run() + " " + request.comeBack()));
    }
  }

  private void ask(GpuLook look) {
    if (plan.clearGpus() != ClearGpus.ALL
        || look.endable().isEmpty()
        || !look.liveRuns().isEmpty()) {
      return;
    }
    String what = look.endable().stream().map(GpuHolder::says).collect(Collectors.joining("; "));
    if (!questioner.agrees("end " + what + " on " + scripts.host().name() + "?")) {
      throw Failure.of(Exit.REFUSED, scripts.host().name(), "you did not agree; nothing was ended");
    }
  }

  private void warn(String step, Failure failed) {
    sink.emit(
        new Event.Check("output", step, "warning", failed.subject() + ": " + failed.problem()));
  }
}
