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
import dev.eagle3.output.Restored;
import dev.eagle3.output.SetAside;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.OutputLocker;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
   * Looks, asks, locks, frees, sets aside. Nothing is touched before the answer, and nothing is
   * ended on the host while it can be seen that a later step will refuse.
   *
   * @param stopping whether to stop; asked before each step that changes something. What was done
   *     by then is for {@link #undo}
   * @throws Failure when one of the steps is refused or fails; what was done before it is undone
   */
  void prepare(BooleanSupplier stopping) {
    GpuLook look = GpuLooker.look(scripts, plan);
    GpuClearer.show(look, sink);
    GpuClearer.refuse(scripts, look);
    OutputSetter.check(scripts, plan, request.yesRemove());
    if (stopping.getAsBoolean()) {
      return;
    }
    List<GpuHolder> agreed = ask(look);
    try {
      if (stopping.getAsBoolean()) {
        return;
      }
      OutputLocker.lock(scripts, plan);
      if (stopping.getAsBoolean()) {
        return;
      }
      GpuClearer.clear(scripts, look, agreed, sink);
      if (stopping.getAsBoolean()) {
        return;
      }
      setAside = OutputSetter.setAside(scripts, plan, request.yesRemove());
      sink.emit(new Event.Check("output", "previous-output", "ok", setAside.says()));
    } catch (Failure failure) {
      if (failure.exit() == Exit.LOST) {
        hint("nothing was launched; put previous output back, if it was moved, with", "undo");
      } else {
        undo();
      }
      throw failure;
    }
  }

  /** What was set aside; empty when there was no previous output. */
  Optional<SetAside> setAside() {
    return Optional.ofNullable(setAside).filter(done -> done.aside().isPresent());
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
    if (setAside().isPresent()) {
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
    if (setAside().isEmpty()) {
      return Optional.empty();
    }
    try {
      Restored restored = OutputRestorer.restore(scripts, plan, false);
      sink.emit(new Event.Check("output", "restore", "ok", restored.says()));
      return Optional.of(restored);
    } catch (Failure failed) {
      warn("restore", failed);
      hint("put previous output back with", "undo");
      return Optional.empty();
    }
  }

  /** The holders that somebody agreed to end. */
  private List<GpuHolder> ask(GpuLook look) {
    List<GpuHolder> asked = look.asked();
    if (!asked.isEmpty()) {
      String what = asked.stream().map(GpuHolder::says).collect(Collectors.joining("; "));
      if (!questioner.agrees("end " + what + " on " + scripts.host().name() + "?")) {
        throw Failure.of(
            Exit.REFUSED, scripts.host().name(), "you did not agree; nothing was ended");
      }
    }
    return asked;
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
