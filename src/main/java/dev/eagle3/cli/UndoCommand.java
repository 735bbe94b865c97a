package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.OutputRestorer;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.io.IOException;
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
    Hosts hosts = new Hosts(surroundings(), connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host);
      RunStatus status = RunStateReader.read(scripts, named.stateFolder(), id);
      RunState state = status.state();
      ExtractionPlan plan = PlanReader.read(host.files(), status.folder());
      sink.emit(
          new Event.Check(
              "output",
              "undo",
              "ok",
              OutputRestorer.restore(scripts, plan, !state.isOver()).says()));
      return Exit.DONE;
    } catch (IOException lost) {
      throw Failure.of(Exit.LOST, name, "the plan of the run cannot be read: " + lost.getMessage())
          .causedBy(lost);
    }
  }
}
