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
import dev.eagle3.output.OutputWriterFinder;
import dev.eagle3.output.Restored;
import dev.eagle3.output.SetAside;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.OutputLocker;
import dev.eagle3.run.RunReplacer;
import dev.eagle3.run.RunStopper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Makes a host ready for a launch, and takes that back when there is none: the output folder is
 * locked, the GPUs are freed, previous output is dealt with.
 */
final class HostPreparer {
  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;
  private final Questioner questioner;

  private final OutputPreparer output;

  HostPreparer(
      HostScripts scripts, ExtractionRequest request, EventSink sink, Questioner questioner) {
    this.scripts = scripts;
    this.request = request;
    this.plan = request.plan();
    this.sink = sink;
    this.questioner = questioner;
    this.output = new OutputPreparer(scripts, request, sink);
  }

  /**
   * Looks, asks, ends the run that is replaced, locks, frees, sets aside. Nothing is touched before
   * the answer, and nothing is ended on the host while it can be seen that a later step will
   * refuse.
   *
   * @param stopping whether to stop; asked before each step that changes something. What was done
   *     by then is for {@link #undo}
   * @throws Failure when one of the steps is refused or fails; what was done before it is undone
   */
  void prepare(BooleanSupplier stopping) {
    Looked looked = look();
    if (stopping.getAsBoolean()) {
      return;
    }
    Optional<RunReplacer> live = looked.live();
    GpuLook all = looked.all();
    GpuLook look = looked.look();
    List<GpuHolder> agreed = ask(live, look);
    try {
      if (stopping.getAsBoolean()) {
        return;
      }
      live.ifPresent(this::end);
      OutputLocker.lock(scripts, plan);
      OutputWriterFinder.refuseAll(scripts, plan);
      if (stopping.getAsBoolean()) {
        return;
      }
      List<GpuHolder> replaced = live.map(run -> all.ofRun(run.run())).orElseGet(List::of);
      GpuClearer.clear(scripts, look, agreed, replaced, sink);
      if (stopping.getAsBoolean()) {
        return;
      }
      output.prepare();
    } catch (Failure failure) {
      if (failure.exit() == Exit.LOST) {
        hint("nothing was launched; put previous output back, if it was moved, with", "undo");
      } else {
        undo();
      }
      throw failure;
    }
  }

  /**
   * Looks at all that {@link #prepare} would touch, and touches nothing.
   *
   * @throws Failure when a step would be refused, as far as can be seen
   */
  Looked look() {
    Optional<RunReplacer> live =
        request.replace() ? RunReplacer.look(scripts, plan) : Optional.empty();
    GpuLook all = GpuLooker.look(scripts, plan);
    GpuLook look = live.map(run -> all.without(run.run())).orElse(all);
    GpuClearer.show(look, sink);
    GpuClearer.refuse(scripts, look);
    OutputWriterFinder.refuseStrangers(scripts, plan);
    output.look();
    return new Looked(live, all, look);
  }

  /**
   * What was seen.
   *
   * @param live the run that is to be replaced
   * @param all the GPUs as they are
   * @param look the GPUs once that run has ended
   */
  record Looked(Optional<RunReplacer> live, GpuLook all, GpuLook look) {}

  /** What was done with the output folder. */
  OutputPreparer output() {
    return output;
  }

  /** What was set aside; empty when there was no previous output. */
  Optional<SetAside> setAside() {
    return output.setAside();
  }

  /**
   * Takes back what was done, after a launch that failed with {@code why}. When the connection is
   * lost it is not known whether there was a launch: then nothing is taken back.
   */
  void undoAfterLaunch(Failure why) {
    if (why.exit() != Exit.LOST) {
      undo();
      return;
    }
    hint("what became of the run is unknown; ask again with", "status");
    if (output.isRestorable()) {
      hint("if there is no such run, put previous output back with", "undo");
    }
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

  /** Puts previous output back, if there was any, and says what it did; empty when it did not. */
  Optional<Restored> restore() {
    if (!output.isRestorable()) {
      return Optional.empty();
    }
    try {
      return Optional.of(output.restore());
    } catch (Failure failed) {
      warn("restore", failed);
      hint("put previous output back with", "undo");
      return Optional.empty();
    }
  }

  /**
   * One question for all that cannot be undone; none when there is nothing of that kind. Returns
   * the holders that somebody agreed to end.
   */
  private List<GpuHolder> ask(Optional<RunReplacer> live, GpuLook look) {
    List<GpuHolder> asked = look.asked();
    List<String> steps = new ArrayList<>();
    live.ifPresent(run -> steps.add(run.says()));
    asked.forEach(holder -> steps.add("end " + holder.says()));
    steps.addAll(output.destructive());
    if (!steps.isEmpty()) {
      steps.addAll(output.harmless());
      String what = String.join("; ", steps);
      if (!questioner.agrees(what + " on " + scripts.host().name() + "?")) {
        throw Failure.of(
            Exit.REFUSED, scripts.host().name(), "you did not agree; nothing was done");
      }
    }
    return asked;
  }

  private void end(RunReplacer live) {
    sink.emit(
        new Event.Check(
            "run", "replace", "ok", "asking run " + live.run() + " to end, which is replaced"));
    String ended = live.end(RunStopper.KILL_AFTER).says();
    sink.emit(new Event.Check("run", "replace", "ok", "run " + live.run() + ": " + ended));
  }

  private void hint(String says, String command) {
    sink.emit(
        new Event.Hint(says, "eagle3 " + command + " " + plan.run() + " " + request.comeBack()));
  }

  private void warn(String step, Failure failed) {
    sink.emit(
        new Event.Check("output", step, "warning", failed.subject() + ": " + failed.problem()));
  }
}
