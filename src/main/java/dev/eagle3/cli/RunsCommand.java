package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunList;
import dev.eagle3.run.RunLister;
import dev.eagle3.run.RunStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What runs and ran on a host. */
@Command(
    name = "runs",
    description = "List the runs of a host, the newest first.",
    footer = {
      "",
      "Example:",
      "  eagle3 runs --host root@gpu7",
      "",
      "Exit codes: 0 listed, 12 unreachable, 17 connection lost."
    })
final class RunsCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = {"-n", "--most"},
      paramLabel = "N",
      defaultValue = "20",
      description = "How many (default: 20).")
  int most = 20;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  RunsCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    try (Host host = hosts.connect(name)) {
      RunList list =
          RunLister.list(
              new HostScripts(host, hosts.words(name, Optional.ofNullable(stateDir))),
              Optional.ofNullable(stateDir),
              Math.max(1, most));
      for (RunStatus status : list.runs()) {
        sink.emit(StateEvents.of(status, name, surroundings().clock().instant()));
      }
      if (list.runs().isEmpty()) {
        sink.emit(new Event.Check("run", "runs", "note", "no run was launched on " + name));
      }
      if (list.older() > 0) {
        sink.emit(
            new Event.Hint(
                list.older() + " older ones",
                "eagle3 runs "
                    + hosts.words(name, Optional.ofNullable(stateDir))
                    + " -n "
                    + (list.older() + list.runs().size())));
      }
      return Exit.DONE;
    }
  }
}
