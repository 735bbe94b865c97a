package dev.eagle3.extract;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.preflight.Preflight;
import dev.eagle3.run.Launched;
import dev.eagle3.run.Launcher;
import dev.eagle3.watch.RunWatcher;
import dev.eagle3.watch.SampleWatch;
import dev.eagle3.watch.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The whole flow on one host, as {@code eagle3 extract} runs it. */
public final class Extraction {
  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;
  private final SaidEvents said;
  private final InstantSource clock;
  private final HostPreparer preparer;
  private final AtomicReference<RunWatcher> watching = new AtomicReference<>();
  private volatile boolean stopping;
  private volatile boolean finishing;

  /**
   * One extraction.
   *
   * @param host where; stays the caller's to close
   * @param questioner is asked once, before processes are ended
   */
  public Extraction(
      Host host,
      ExtractionRequest request,
      EventSink sink,
      Questioner questioner,
      InstantSource clock) {
    this.scripts = new HostScripts(host, request.comeBack());
    this.request = request;
    this.plan = request.plan();
    this.sink = oneByOne(sink);
    this.said = new SaidEvents(this.sink);
    this.clock = clock;
    this.preparer = new HostPreparer(scripts, request, this.sink, questioner);
  }

  /** Previous output is deleted in another thread than that which watches. */
  private static EventSink oneByOne(EventSink sink) {
    Object lock = new Object();
    return event -> {
      synchronized (lock) {
        sink.emit(event);
      }
    };
  }

  /**
   * Checks the host, frees the GPUs, sets previous output aside, launches, follows, verifies, and
   * brings files home. Blocks until the run has ended, unless the request says detach or {@link
   * #stop} is called; the run goes on whatever becomes of this.
   *
   * @return what the command exits with
   * @throws Failure when a step before the launch failed (nothing runs then, and previous output is
   *     back), or when the connection was lost
   */
  public Exit run() {
    new Preflight(scripts, plan, request.preflight(), sink, clock).check(false);
    preparer.prepare(() -> stopping);
    if (stopping) {
      preparer.undo();
      return Exit.INTERRUPTED;
    }
    Instant started = clock.instant();
    Launched launched = launch();
    if (request.detach()) {
      preparer.output().sayHowToDelete();
      return Exit.DONE;
    }
    Watched watched = watch(launched);
    if (watched.stopped()) {
      preparer.output().sayHowToDelete();
      sink.emit(new Event.Hint(howItGoesOn(watched), tailLog()));
      return Exit.STOPPED_WATCHING;
    }
    finishing = true;
    Duration took = Duration.between(started, clock.instant());
    return new RunFinisher(scripts, request, sink, said.withoutRepeats(), preparer)
        .finish(watched, took);
  }

  private static String howItGoesOn(Watched watched) {
    return watched
        .endedSince()
        .map(reason -> "the run was being ended, since " + reason + "; see what became of it with")
        .orElse("the run goes on; come back with");
  }

  /**
   * Ends it from another thread: before the launch all is taken back, after it the run goes on and
   * only the watching ends. {@link #run} then returns soon.
   *
   * @return false when the run has ended and only looking at its files is left: nothing is lost
   *     when that ends at once, and it does not end by this
   */
  public boolean stop() {
    stopping = true;
    RunWatcher watcher = watching.get();
    if (watcher != null) {
      watcher.stop();
    }
    if (finishing) {
      sayUnfinished();
    }
    return !finishing;
  }

  private void sayUnfinished() {
    sink.emit(
        new Event.Hint(
            "the run has ended, and not all that it saved was verified; do that with",
            "eagle3 verify-shapes " + plan.run() + " " + request.comeBack()));
    if (preparer.output().isRestorable()) {
      sink.emit(
          new Event.Hint(
              "previous output was set aside; put it back, if it is not back, with",
              "eagle3 undo " + plan.run() + " " + request.comeBack()));
    }
  }

  private Watched watch(Launched launched) {
    RunWatcher watcher =
        new RunWatcher(
            scripts,
            launched.folder(),
            request.rules(),
            said,
            Optional.of(new SampleWatch(plan, request.onBad(), false, this::whenGood)));
    watching.set(watcher);
    if (stopping) {
      watcher.stop();
    }
    try {
      return watcher.watch(0);
    } catch (Failure failure) {
      preparer.output().sayHowToDelete();
      throw failure.exit() == Exit.LOST ? failure.orTry(tailLog()) : failure;
    }
  }

  /**
   * The first sample is good: previous output is deleted, where that was asked for. That may take
   * long, and the run is watched meanwhile.
   */
  private void whenGood() {
    if (preparer.output().isToBeDeleted()) {
      Thread deleter = new Thread(preparer.output()::delete, "delete-previous");
      deleter.setDaemon(true);
      deleter.start();
    }
  }

  private Launched launch() {
    Launched launched;
    try {
      launched = Launcher.launch(scripts, plan);
    } catch (Failure failure) {
      preparer.undoAfterLaunch(failure);
      throw failure;
    }
    sink.emit(
        new Event.Launch(
            plan.run().text(),
            scripts.host().name(),
            launched.pid(),
            launched.folder().log(),
            plan.outputDir()));
    launched.notes().forEach(note -> sink.emit(new Event.Check("run", "launch", "note", note)));
    sink.emit(new Event.Hint("follow it from anywhere", tailLog()));
    return launched;
  }

  private String tailLog() {
    return "eagle3 tail-log " + plan.run() + " " + request.comeBack();
  }
}
