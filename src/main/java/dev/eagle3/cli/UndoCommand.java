package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.LockJudge;
import dev.eagle3.output.OutputRestorer;
import dev.eagle3.output.Restored;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.OutputLocker;
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Puts previous output back. */
@Command(
    name = "undo",
    description = {
      "Put back the output that was set aside before a run, or the files that were taken out for"
          + " it. What the run wrote is kept under another name; nothing is deleted. Refused while"
          + " the run lives, and when a later run wrote into the folder: undo that one first."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 undo --host root@gpu7",
      "  eagle3 undo 20261129-170512-1a2b --host root@gpu7",
      "",
      "Exit codes: 0 it is back, 11 refused (the run lives, nothing was set aside, it"
          + " was undone before, a later run wrote there),"
          + " 12 unreachable, 17 connection lost."
    })
final class UndoCommand extends ReportingCommand {
  private static final int MOST_LOOKS_AGAIN = 2;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  @Option(
      names = "--yes-move",
      paramLabel = "RUN",
      description =
          "A later run that wrote into the folder: move what it wrote, with all that stands there.")
  @Nullable String yesMove;

  UndoCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    Optional<RunId> later = later();
    try (Host host = hosts.connect(name)) {
      Optional<String> state = named.stateFolder();
      HostScripts scripts = new HostScripts(host, hosts.words(name, state));
      LockJudge locks = (run, folder, age) -> OutputLocker.isLeft(scripts, run, folder, age);
      if (RunId.isRunId(id) && RunStateReader.find(scripts, state, id).isEmpty()) {
        String other = scripts.comeBack("runs");
        say(
            sink,
            orTry(
                other,
                () -> OutputRestorer.restoreUnlaunched(scripts, state, new RunId(id), locks)));
        return Exit.DONE;
      }
      RunStatus status = settled(scripts, state, id);
      ExtractionPlan plan = PlanReader.read(host.files(), status.folder());
      boolean lives = !status.state().isOver();
      String other = scripts.comeBack((lives ? "stop " : "status ") + plan.run());
      say(sink, orTry(other, () -> OutputRestorer.restore(scripts, plan, lives, locks, later)));
      return Exit.DONE;
    } catch (IOException lost) {
      throw Failure.of(Exit.LOST, name, "the plan of the run cannot be read: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  /** The last processes of a run that has just ended may take a moment to go. */
  private static RunStatus settled(HostScripts scripts, Optional<String> state, String id) {
    RunStatus status = RunStateReader.read(scripts, state, id);
    for (int again = 0; again < MOST_LOOKS_AGAIN && !status.state().isOver(); again++) {
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return status;
      }
      status = RunStateReader.read(scripts, state, status.folder().run().text());
    }
    return status;
  }

  /** A refusal says what else there is to do, where it does not do so itself. */
  private static Restored orTry(String other, Supplier<Restored> undo) {
    try {
      return undo.get();
    } catch (Failure failure) {
      throw failure.exit() == Exit.REFUSED && failure.tryNext().isEmpty()
          ? failure.orTry(other)
          : failure;
    }
  }

  private Optional<RunId> later() {
    if (yesMove == null) {
      return Optional.empty();
    }
    if (!RunId.isRunId(yesMove)) {
      throw Failure.of(Exit.USAGE, "--yes-move " + yesMove, "is no run: an id is wanted")
          .orTry("the id that eagle3 undo named");
    }
    return Optional.of(new RunId(yesMove));
  }

  private static void say(EventSink sink, Restored restored) {
    sink.emit(new Event.Check("output", "undo", "ok", restored.says()));
  }
}
