package dev.eagle3.cli;

import dev.eagle3.extract.ExtractionRequest;
import dev.eagle3.extract.LaunchChecker;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.report.TextReport;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All checks that {@code extract} makes before a launch. */
@Command(
    name = "preflight",
    description = {
      "Make all checks that extract makes before a launch, and change nothing on the host: machine,"
          + " script and packages, model, prepared data, disks, GPUs. It judges the state after the"
          + " planned steps; only what is certain to fail is refused, all else warns."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 preflight --host root@gpu7 --layers 2 30 58 60",
      "  eagle3 preflight --host gpu7 --profile my.yaml --json",
      "  eagle3 preflight --host gpu7 --profile my.yaml --skip model-shards",
      "",
      "docs/preflight.md lists every check.",
      "",
      "Exit codes: 0 nothing is certain to fail (there may be warnings), 2 usage, 3 local file, 10"
          + " profile invalid, 11 certain to fail or to be refused, 12 unreachable, 17 connection"
          + " lost."
    })
final class PreflightCommand extends ReportingCommand {
  /** Longer than extract takes: whoever asks for checks alone has the time. */
  private static final int DATA_SECONDS = 20;

  @Mixin ConnectionOptions connection = new ConnectionOptions();
  @Mixin JobOptions job = new JobOptions();
  @Mixin PlannedOptions planned = new PlannedOptions();

  @Option(
      names = "--data-seconds",
      paramLabel = "N",
      description = "How long the prepared data may be read (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + DATA_SECONDS)
  int dataSeconds = DATA_SECONDS;

  PreflightCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Duration dataLimit = Duration.ofSeconds(Math.max(1, Math.min(dataSeconds, 3600)));
    PlannedJob launch =
        PlannedJob.of(job, connection, planned, hosts(connection, sink), surroundings(), dataLimit);
    ExtractionRequest request = launch.request(false, Optional.empty(), Optional.empty());
    try (Host host = launch.hosts().connect(request.plan().host())) {
      LaunchChecker.check(host, request, sink, surroundings().clock());
      return Exit.DONE;
    }
  }
}
