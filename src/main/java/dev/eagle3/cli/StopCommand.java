package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import dev.eagle3.report.Units;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import dev.eagle3.run.RunStopper;
import dev.eagle3.run.Stopped;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ends one run. */
@Command(
    name = "stop",
    description = {
      "End a run: TERM, so that the job can end by itself, then KILL for what is still there, until"
          + " no process of the run is left. Processes that a run left behind are ended too. What"
          + " the run saved stays. A run that is over is left as it is."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 stop --host root@gpu7",
      "  eagle3 stop 20261129-170512-1a2b --host root@gpu7 --kill-after 2m --yes",
      "",
      "Exit codes: 0 it is over (also when it was before), 13 some of its processes did not end,"
          + " 11 refused (no such run, it runs on another node, it belongs to another user, you did"
          + " not agree), 2 usage, 12 unreachable, 17 connection lost: ask again."
    })
final class StopCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  @Option(
      names = "--kill-after",
      paramLabel = "TIME",
      converter = DurationWord.class,
      description = "How long the job may take to end after TERM: 30s, 2m (default: 30s).")
  Duration killAfter = RunStopper.KILL_AFTER;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  boolean yes;

  StopCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    if (killAfter.compareTo(RunStopper.LONGEST_KILL_AFTER) > 0) {
      throw Failure.of(Exit.USAGE, "--kill-after", "is longer than an hour");
    }
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
      return stop(
          scripts, RunStateReader.readWhole(scripts, named.stateFolder(), named.name()), sink);
    }
  }

  private Exit stop(HostScripts scripts, RunStatus status, EventSink sink) {
    RunState state = status.state();
    if (state.isOver()) {
      emit(scripts, status, sink);
      say(sink, "ok", "there is nothing to stop: no process of run " + id(status) + " lives");
      return Exit.DONE;
    }
    if (state instanceof RunState.Elsewhere elsewhere) {
      throw RunStopper.elsewhere(scripts, status.folder(), elsewhere.node());
    }
    ask(scripts, status);
    say(
        sink,
        "ok",
        "asking it to end; KILL follows after " + Units.duration(killAfter.toSeconds()));
    Stopped stopped = end(scripts, status);
    say(sink, stopped.isOver() ? "ok" : "warning", stopped.says());
    emit(scripts, RunStateReader.read(scripts, named.stateFolder(), id(status)), sink);
    return stopped.isOver() ? Exit.DONE : Exit.RUN_FAILED;
  }

  private Stopped end(HostScripts scripts, RunStatus status) {
    try {
      return RunStopper.stop(scripts, status.folder(), killAfter);
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST
          ? failure.orTry(scripts.comeBack("stop " + id(status)))
          : failure;
    }
  }

  private void ask(HostScripts scripts, RunStatus status) {
    long age = StateEvents.ageSeconds(status, surroundings().clock().instant());
    long samples = status.details().samples().orElse(-1);
    String question =
        "end run "
            + id(status)
            + " on "
            + scripts.host().name()
            + (age < 0 ? "" : ", launched " + Units.duration(age) + " ago")
            + (samples < 0 ? "" : ", " + Units.count(samples) + " files saved so far")
            + " ("
            + status.state().says()
            + ")?";
    if (!new TerminalQuestioner(surroundings(), yes, this::flush).agrees(question)) {
      throw Failure.of(Exit.REFUSED, scripts.host().name(), "you did not agree; nothing was ended");
    }
  }

  private void emit(HostScripts scripts, RunStatus status, EventSink sink) {
    sink.emit(StateEvents.of(status, scripts.host().name(), surroundings().clock().instant()));
  }

  private static void say(EventSink sink, String verdict, String says) {
    sink.emit(new Event.Check("run", "stop", verdict, says));
  }

  private static String id(RunStatus status) {
    return status.folder().run().text();
  }
}
