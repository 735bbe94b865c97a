package dev.eagle3.extract;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.Restored;
import dev.eagle3.output.SetAside;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunState;
import dev.eagle3.transfer.PullRequest;
import dev.eagle3.transfer.PullResult;
import dev.eagle3.transfer.Puller;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import dev.eagle3.watch.Watched;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What comes after a run: say why it failed, verify what it saved, bring that home. */
final class RunFinisher {
  private static final int MOST_FILES = 1_000_000;

  private final HostScripts scripts;
  private final ExtractionRequest request;
  private final ExtractionPlan plan;
  private final EventSink sink;
  private final EventSink found;
  private final HostPreparer preparer;

  /**
   * The end of one run.
   *
   * @param found takes what verification finds, and may know some of it already
   */
  RunFinisher(
      HostScripts scripts,
      ExtractionRequest request,
      EventSink sink,
      EventSink found,
      HostPreparer preparer) {
    this.scripts = scripts;
    this.request = request;
    this.plan = request.plan();
    this.sink = sink;
    this.found = found;
    this.preparer = preparer;
  }

  /** Does all of it; returns what the command exits with. */
  Exit finish(Watched watched, Duration took) {
    List<Exit> exits = new ArrayList<>();
    RunState state = watched.last().state();
    if (watched.endedSince().isPresent()) {
      // How it ended says nothing of the job: it was told to.
      exits.add(Exit.WRONG);
      sayEnded(watched.endedSince().get(), state);
    } else {
      exits.add(
          new FailedRunExplainer(scripts, sink)
              .explain(watched.last(), watched.log(), Optional.of(plan)));
    }
    try {
      Diagnosis diagnosis =
          new Diagnoser(files(), FolderVerifier.IN_FLIGHT_REMOTE, found)
              .diagnose(
                  List.of(plan.outputDir()), ExpectationSources.ofRun(Expectation.NONE, plan));
      exits.add(diagnosis.exit());
      Optional<Restored> restored = Optional.empty();
      if (state.isOver() && diagnosis.result().isWorthless() && preparer.setAside().isPresent()) {
        restored = preparer.restore();
      } else if (diagnosis.result().good() > 0 && preparer.output().isToBeDeleted()) {
        preparer.output().delete();
      } else {
        preparer.setAside().ifPresent(this::sayKept);
        preparer.output().sayQuarantined();
      }
      try {
        pull(diagnosis, exits, restored);
      } catch (Failure lost) {
        report(diagnosis.result(), took, restored);
        throw lost;
      }
      report(diagnosis.result(), took, restored);
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              scripts.host().name(),
              "the connection was lost while the files were verified: " + lost.getMessage())
          .orTry("eagle3 verify-shapes " + plan.run() + " " + request.comeBack())
          .causedBy(lost);
    }
    return Exit.first(exits);
  }

  private void sayEnded(String reason, RunState state) {
    sink.emit(
        new Event.Check(
            "run", "on-bad", "warning", "the run was ended by eagle3, since " + reason));
    if (!state.pids().isEmpty()) {
      sink.emit(
          new Event.Hint(
              "some of its processes did not end; end them with",
              "eagle3 stop " + plan.run() + " " + request.comeBack()));
    }
  }

  /** Once previous output is back, what the run wrote is to be found elsewhere. */
  private void report(VerifyResult result, Duration took, Optional<Restored> restored) {
    String where =
        restored.isEmpty() ? plan.outputDir() : restored.get().undone().orElse(plan.outputDir());
    sink.emit(result.summary(took.toSeconds(), scripts.host().name() + ":" + where));
    if (result.exit() == Exit.DONE || (restored.isPresent() && restored.get().undone().isEmpty())) {
      return;
    }
    String what = restored.isPresent() ? ShellQuote.word(where) : plan.run().text();
    sink.emit(
        new Event.Hint(
            "look at the files again with",
            "eagle3 verify-shapes " + what + " " + request.comeBack()));
  }

  /**
   * Brings the files home, where that is wanted and they are good.
   *
   * @throws Failure {@code LOST} when the connection went away: they are verified by then
   */
  private void pull(Diagnosis diagnosis, List<Exit> exits, Optional<Restored> restored) {
    if (request.pullTo().isEmpty()) {
      return;
    }
    if (restored.isPresent()) {
      return;
    }
    if (Exit.first(exits) != Exit.DONE || diagnosis.result().good() == 0) {
      sink.emit(
          new Event.Hint(
              "nothing was pulled, since not all is good; pull it all the same with",
              "eagle3 pull " + plan.run() + " " + request.comeBack() + " --to DIR"));
      return;
    }
    Path to = request.pullTo().get();
    try {
      List<FileStat> home =
          files().list(plan.outputDir(), MOST_FILES).stream()
              .filter(entry -> entry.kind() == FileKind.FILE)
              .toList();
      PullResult result =
          new Puller(scripts.host().name(), files(), sink).pull(new PullRequest(home, to, false));
      exits.add(result.exit());
    } catch (IOException lost) {
      throw lostPull(
          Failure.of(
                  Exit.LOST,
                  scripts.host().name(),
                  "the connection was lost while files were pulled: " + lost.getMessage())
              .causedBy(lost),
          to);
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? lostPull(failure, to) : failure;
    }
  }

  /** The same command again would launch another run. */
  private Failure lostPull(Failure failure, Path to) {
    return failure.orTry(
        "eagle3 pull "
            + plan.run()
            + " "
            + request.comeBack()
            + " --to "
            + ShellQuote.word(to.toString())
            + "   # it goes on where it stopped");
  }

  private void sayKept(SetAside aside) {
    sink.emit(
        new Event.Hint(
            aside.says() + "; put it back with",
            "eagle3 undo " + plan.run() + " " + request.comeBack()));
  }

  private FileTree files() {
    return scripts.host().files();
  }
}
