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
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Puts previous output back. */
@Command(
    name = "undo",
    description = {
      "Put back the output that was set aside before a run. What the run wrote is kept under"
          + " another name; nothing is deleted. Refused while the run lives."
    },
    footer = {
      "",
      "Example:",
      "  eagle3 undo 20261129-170512-1a2b --host root@gpu7",
      "",
      "Exit codes: 0 it is back, 11 refused (the run lives, nothing was set aside),"
          + " 12 unreachable, 17 connection lost."
    })
final class UndoCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  UndoCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
      Optional<String> state = named.stateFolder();
      if (RunId.isRunId(id) && RunStateReader.find(scripts, state, id).isEmpty()) {
        say(sink, OutputRestorer.restoreUnlaunched(scripts, state, new RunId(id), LockJudge.STRICT));
        return Exit.DONE;
      }
      RunStatus status = RunStateReader.read(scripts, state, id);
      ExtractionPlan plan = PlanReader.read(host.files(), status.folder());
      say(sink, OutputRestorer.restore(scripts, plan, !status.state().isOver()));
      return Exit.DONE;
    } catch (IOException lost) {
      throw Failure.of(Exit.LOST, name, "the plan of the run cannot be read: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private static void say(EventSink sink, Restored restored) {
    sink.emit(new Event.Check("output", "undo", "ok", restored.says()));
  }
}
