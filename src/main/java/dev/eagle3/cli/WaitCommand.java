package dev.eagle3.cli;

import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.report.TextReport;
import dev.eagle3.report.Units;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.watch.OnBad;
import dev.eagle3.watch.RunWatcher;
import dev.eagle3.watch.SampleWatch;
import dev.eagle3.watch.Watched;
import java.io.IOException;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Blocks until a run is so far. */
@Command(
    name = "wait",
    description = {
      "Wait until a run has loaded its model, has saved its first good sample, or has ended well."
          + " The run goes on as it would."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 wait --host root@gpu7 --until loaded && echo loaded",
      "  eagle3 wait 20261129-170512-1a2b --host root@gpu7 --until first-sample --timeout 40m",
      "",
      "Exit codes: 0 it is so far (also when it was before), 13 the run failed before, 16 it ended"
          + " without a good sample, or its log says that samples are missing, or eagle3 ended it"
          + " for bad ones, 14 --timeout or Ctrl-C (the run goes on), 11 no such run, 2 usage, 12"
          + " unreachable, 17 connection lost (the run goes on)."
    })
final class WaitCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  @Option(
      names = "--until",
      paramLabel = "loaded|first-sample|done",
      converter = UntilWord.class,
      description =
          "What to wait for: the model is loaded, by the log; a sample is good; the job has exited"
              + " with 0 (default: done).")
  Until until = Until.DONE;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationWord.class,
      description = "Wait no longer than this: 30s, 40m, 2h (default: for ever).")
  @Nullable Duration timeout;

  WaitCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    Interruptions interruptions = interruptions(sink);
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
      RunFolder folder = RunStateReader.read(scripts, named.stateFolder(), id).folder();
      LaunchedPlan launched = LaunchedPlan.read(host.files(), folder, sink);
      Awaited awaited = new Awaited(until, launched.rules(), sink);
      RunWatcher watcher =
          new RunWatcher(
              scripts, folder, launched.rules(), awaited, launched.plan().map(this::samples));
      awaited.whenReached(watcher::stop);
      interruptions.stopWith(watcher::stop);
      Watched watched = watch(watcher);
      return awaited.says().isPresent()
          ? reached(folder, awaited.says().get(), sink)
          : missed(scripts, watched, launched, sink);
    } catch (IOException lost) {
      throw Failure.of(Exit.LOST, name, "the run cannot be read: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private SampleWatch samples(ExtractionPlan plan) {
    return new SampleWatch(plan, OnBad.WARN, until == Until.FIRST_SAMPLE, () -> {});
  }

  private Watched watch(RunWatcher watcher) {
    if (timeout == null) {
      return watcher.watch(0);
    }
    Timer timer = new Timer("timeout", true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            watcher.stop();
          }
        },
        timeout.toMillis());
    try {
      return watcher.watch(0);
    } finally {
      timer.cancel();
    }
  }

  private static Exit reached(RunFolder folder, String says, EventSink sink) {
    sink.emit(new Event.Check("run", "wait", "ok", "run " + folder.run() + ": " + says));
    return Exit.DONE;
  }

  private Exit missed(HostScripts scripts, Watched watched, LaunchedPlan launched, EventSink sink) {
    RunState state = watched.last().state();
    String run = watched.last().folder().run().text();
    if (watched.stopped()) {
      String patience =
          timeout == null ? "" : " after " + Units.duration(timeout.toSeconds()) + " or Ctrl-C";
      sink.emit(
          new Event.Check(
              "run", "wait", "warning", "run " + run + " is not " + until.says() + patience));
      sink.emit(
          new Event.Hint(
              "the run goes on; wait on with",
              scripts.comeBack("wait " + run + " --until " + until.word())));
      return Exit.STOPPED_WATCHING;
    }
    Exit exit =
        new FailedRunExplainer(scripts, sink)
            .explain(watched.last(), watched.log(), launched.plan());
    if (exit != Exit.DONE) {
      return exit;
    }
    if (until != Until.FIRST_SAMPLE) {
      return reached(watched.last().folder(), state.says(), sink);
    }
    sink.emit(
        new Event.Check("samples", "wait", "warning", "run " + run + " has saved no good sample"));
    sink.emit(
        new Event.Hint("look at all it saved with", scripts.comeBack("verify-shapes " + run)));
    return Exit.WRONG;
  }
}
