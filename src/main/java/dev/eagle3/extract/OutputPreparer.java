package dev.eagle3.extract;

import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.output.Amount;
import dev.eagle3.output.Kept;
import dev.eagle3.output.OutputKeeper;
import dev.eagle3.output.OutputPruner;
import dev.eagle3.output.OutputRestorer;
import dev.eagle3.output.OutputSetter;
import dev.eagle3.output.Pruned;
import dev.eagle3.output.Restored;
import dev.eagle3.output.SetAside;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the output folder ready as the plan says: sets previous output aside, deletes it later, or
 * keeps it. For one thread, but for {@link #delete}, which another one may call once {@link
 * #prepare} is done.
 */
final class OutputPreparer {
  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;
  private final KeptFilesChecker checker;

  private Optional<Amount> measured = Optional.empty();
  private @Nullable KeptFiles found;
  private @Nullable SetAside setAside;
  private @Nullable Kept kept;
  private boolean tookOut;
  private volatile boolean deleted;

  OutputPreparer(HostScripts scripts, ExtractionRequest request, EventSink sink) {
    this.scripts = scripts;
    this.request = request;
    this.plan = request.plan();
    this.sink = sink;
    this.checker = new KeptFilesChecker(scripts, request, sink);
  }

  /**
   * Looks, and touches nothing.
   *
   * @throws Failure when {@link #prepare} would be refused, as far as can be seen
   */
  void look() {
    switch (plan.previousOutput()) {
      case SET_ASIDE -> OutputSetter.check(scripts, plan, request.yesRemove());
      case DELETE -> measured = OutputSetter.measure(scripts, plan, request.yesRemove());
      case KEEP -> {
        OutputKeeper.check(scripts, plan);
        found = checker.check();
      }
    }
  }

  /** What of it cannot be undone, each as a step to agree to. */
  List<String> destructive() {
    return measured
        .map(
            amount ->
                List.of(
                    "delete what stands in "
                        + Printable.line(plan.outputDir(), 300)
                        + amount.says()
                        + " once the first new sample is good"))
        .orElse(List.of());
  }

  /** What of it can be undone, for a question that is asked anyway. */
  List<String> harmless() {
    if (found == null || found.bad().isEmpty()) {
      return List.of();
    }
    int count = found.bad().size();
    return List.of("move " + count + (count == 1 ? " bad file" : " bad files") + " to quarantine");
  }

  /**
   * Makes the folder ready; the lock is ours by now.
   *
   * @throws Failure as {@link OutputSetter#setAside} and {@link OutputKeeper#keep}
   */
  void prepare() {
    if (plan.previousOutput() != PreviousOutput.KEEP) {
      setAside = OutputSetter.setAside(scripts, plan, request.yesRemove());
      say("previous-output", setAside.says());
      return;
    }
    // Before the lock was ours, another run may have completed a file.
    Set<String> bad = found == null ? Set.of() : found.bad().keySet();
    Map<String, String> stillBad = checker.stillBad(bad);
    tookOut = !stillBad.isEmpty();
    kept = OutputKeeper.keep(scripts, plan, stillBad);
    say("previous-output", kept.says());
  }

  /** What was set aside and is still there; empty when there was no previous output. */
  Optional<SetAside> setAside() {
    return Optional.ofNullable(setAside).filter(done -> done.aside().isPresent() && !deleted);
  }

  /** Whether {@link #restore} has anything to do. */
  boolean isRestorable() {
    return setAside().isPresent() || tookOut;
  }

  /**
   * Puts previous output back, and files in quarantine; says what it did.
   *
   * @throws Failure as {@link OutputRestorer#restore}
   */
  Restored restore() {
    Restored restored = OutputRestorer.restore(scripts, plan, false);
    say("restore", restored.says());
    return restored;
  }

  /** Says where files in quarantine are, and how they come back. */
  void sayQuarantined() {
    if (kept != null && kept.quarantine().isPresent()) {
      sink.emit(
          new Event.Hint(
              kept.says() + "; put back what has no new file of its name with",
              "eagle3 undo " + plan.run() + " " + request.comeBack()));
    }
  }

  /** Whether previous output is to be deleted and is still there. */
  boolean isToBeDeleted() {
    return plan.previousOutput() == PreviousOutput.DELETE && setAside().isPresent();
  }

  /**
   * Deletes what was set aside, when that was asked for and it is still there: to be called once a
   * new sample is good. Blocks until it is gone, and says so; what stays is named.
   */
  synchronized void delete() {
    if (!isToBeDeleted()) {
      return;
    }
    String path = setAside().flatMap(SetAside::aside).orElseThrow();
    try {
      Pruned pruned = OutputPruner.prune(scripts, plan.stateDir(), plan.run(), path);
      if (pruned.left().isEmpty()) {
        deleted = true;
        say("delete", "a new sample is good: " + Printable.line(path) + " is deleted");
        return;
      }
      warn(Printable.line(pruned.path()) + " is not deleted whole: " + pruned.left().get());
    } catch (Failure failed) {
      warn(failed.subject() + ": " + failed.problem());
    }
    sayHowToDelete();
  }

  /** Says how to delete what was to be deleted and is still there. */
  void sayHowToDelete() {
    if (isToBeDeleted()) {
      sink.emit(
          new Event.Hint(
              "previous output is still there; once a new sample is good, delete it with",
              "eagle3 prune " + plan.run() + " " + request.comeBack()));
    }
  }

  private void say(String step, String says) {
    sink.emit(new Event.Check("output", step, "ok", says));
  }

  private void warn(String says) {
    sink.emit(new Event.Check("output", "delete", "warning", says));
  }
}
