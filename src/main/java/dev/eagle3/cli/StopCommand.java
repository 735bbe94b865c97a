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
  /** Connections for one stop: it is asked again when one is lost in the middle. */
  private static final int MOST_CONNECTIONS = 3;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  @Option(
      names = "--kill-after",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "How long the job may take to end after TERM: 30s, 2m (default: 30s).")
  String killAfter = "30s";

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  boolean yes;

  private boolean agreed;

  StopCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Duration patience = patience(killAfter);
    Hosts hosts = new Hosts(surroundings(), connection, sink);
    String name = hosts.nameOfRuns();
    String run = named.name();
    Failure lost = null;
    for (int connections = 1; ; connections++) {
      try (Host host = hosts.connect(name)) {
        HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
        RunStatus status = RunStateReader.readWhole(scripts, named.stateFolder(), run);
        // The next connection is to ask for this very run, whatever is the latest by then.
        run = status.folder().run().text();
        return stop(scripts, status, patience, sink);
      } catch (Failure failure) {
        if (failure.exit() == Exit.UNREACHABLE && lost != null) {
          throw lost;
        }
        if (failure.exit() != Exit.LOST) {
          throw failure;
        }
        lost = failure.orTry("eagle3 stop " + run + " " + hosts.words(name, named.stateFolder()));
        if (connections == MOST_CONNECTIONS) {
          throw lost;
        }
        sink.emit(
            new Event.Check(
                "run",
                "stop",
                "warning",
                failure.problem() + ": asking again what there is to end"));
      }
    }
  }

  private Exit stop(HostScripts scripts, RunStatus status, Duration patience, EventSink sink) {
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
    say(sink, "ok", "asking it to end; KILL follows after " + Units.duration(patience.toSeconds()));
    Stopped stopped = RunStopper.stop(scripts, status.folder(), patience);
    say(sink, stopped.isOver() ? "ok" : "warning", stopped.says());
    emit(scripts, RunStateReader.read(scripts, named.stateFolder(), id(status)), sink);
    return stopped.isOver() ? Exit.DONE : Exit.RUN_FAILED;
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
    agreed = agreed || new TerminalQuestioner(surroundings(), yes, this::flush).agrees(question);
    if (!agreed) {
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

  /** {@code 30s}, {@code 2m}, or seconds without a unit. */
  private static Duration patience(String text) {
    if (text.matches("[0-9]{1,5}[sm]?")) {
      long count = Long.parseLong(text.replaceAll("[sm]", ""));
      Duration patience =
          text.endsWith("m") ? Duration.ofMinutes(count) : Duration.ofSeconds(count);
      if (patience.compareTo(RunStopper.LONGEST_KILL_AFTER) <= 0) {
        return patience;
      }
    }
    throw Failure.of(
            Exit.USAGE, "--kill-after", text + " is no time between 0s and 60m, such as 30s or 2m")
        .orTry("--kill-after 30s");
  }
}
