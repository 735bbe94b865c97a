package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One run: what became of it. */
@Command(
    name = "status",
    description = "Say what became of a run.",
    footer = {
      "",
      "Examples:",
      "  eagle3 status --host root@gpu7",
      "  eagle3 status 20261129-170512-1a2b --host root@gpu7 --json",
      "",
      "Exit codes: 0 running or finished well, 13 the run failed, 11 no such run, 12"
          + " unreachable, 17 connection lost."
    })
final class StatusCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      defaultValue = "latest",
      description = "Id of a run, or latest (the default).")
  String run = "latest";

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  StatusCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = new Hosts(surroundings(), connection, sink);
    String name = hosts.nameOfRuns();
    String id = RunNames.check(run);
    try (Host host = hosts.connect(name)) {
      RunStatus status =
          RunStateReader.read(new HostScripts(host), Optional.ofNullable(stateDir), id);
      RunState state = status.state();
      sink.emit(state.toEvent(status.folder().run()));
      if (!state.hasEnded()) {
        sink.emit(
            new Event.Hint(
                "follow it", "eagle3 tail-log " + status.folder().run() + " " + hosts.words(name)));
        return Exit.DONE;
      }
      return state.exit();
    }
  }
}
