package dev.eagle3.cli;

import dev.eagle3.gpu.GpuClearer;
import dev.eagle3.gpu.GpuHolder;
import dev.eagle3.gpu.GpuLook;
import dev.eagle3.gpu.GpuLooker;
import dev.eagle3.gpu.GpuNeed;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.profile.Profile;
import dev.eagle3.report.TextReport;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who holds the GPUs of a host, and ending them. */
@Command(
    name = "clear-gpus",
    description = {
      "Show who holds the GPUs of a host, and free them. What dead runs left there is ended; any"
          + " other holder is asked about, by name. Daemons, your own login and runs that live are"
          + " never ended."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 clear-gpus --host root@gpu7",
      "  eagle3 clear-gpus --host root@gpu7 --gpus 4,5 --json",
      "  eagle3 clear-gpus --host root@gpu7 --clear-gpus all --yes",
      "",
      "Ctrl-C at the question ends nothing.",
      "",
      "Exit codes: 0 the GPUs are free, 2 usage, 10 profile invalid, 11 refused (not agreed to, no"
          + " terminal to ask on, a live run, hidden memory, or something came back), 12"
          + " unreachable, 17 connection lost, 130 interrupted."
    })
final class ClearGpusCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--gpus",
      paramLabel = "0,1,...",
      description =
          "Which GPUs (default: CUDA_VISIBLE_DEVICES of the host, else the first --tp-size).")
  @Nullable String gpus;

  @Option(
      names = "--tp-size",
      paramLabel = "N",
      description = "How many GPUs, when none are named (default: the profile's).")
  @Nullable String tpSize;

  @Option(
      names = "--clear-gpus",
      paramLabel = "safe|all",
      description =
          "safe (the default): whoever uses these GPUs; all: whatever has any GPU open, as fuser"
              + " -k /dev/nvidia* would end it, daemons spared.")
  @Nullable String clearGpus;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      description = "Where host, gpus, tp-size and state-dir come from (default: kimi-k2.5).")
  @Nullable String profile;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  @Option(
      names = "--dry-run",
      description =
          "Print the step as shell text, which asks nobody: it ends what the policy ends without"
              + " asking, and with all whatever it finds. Connect to nothing.")
  boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Agree to all that would be asked.")
  boolean yes;

  ClearGpusCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Profile resolved = resolve();
    GpuNeed need = need(resolved);
    if (dryRun) {
      GpuClearer.step(need)
          .ifPresent(call -> sink.emit(new Event.Step("clear-gpus", HostScripts.paste(call, ""))));
      return Exit.DONE;
    }
    Interruptions interruptions = interruptions(sink);
    TerminalQuestioner terminal = new TerminalQuestioner(surroundings(), yes, this::flush);
    Hosts hosts = hosts(connection, sink).through(resolved.via());
    String name = resolved.host().orElseGet(hosts::nameOfRuns);
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, need.stateDir()));
      GpuLook look = GpuLooker.look(scripts, need);
      GpuClearer.show(look, sink);
      GpuClearer.refuse(scripts, look);
      List<GpuHolder> asked = look.asked();
      if (!asked.isEmpty()
          && !interruptions.whileAsking(() -> terminal.agrees(question(asked, name)))) {
        throw Failure.of(Exit.REFUSED, name, "you did not agree; nothing was ended");
      }
      GpuClearer.clear(scripts, look, asked, sink);
      return Exit.DONE;
    }
  }

  private Profile resolve() {
    JobOptions job = new JobOptions();
    job.gpus = gpus;
    // Whoever names GPUs means these, however many a job of the profile would take.
    job.tpSize =
        gpus != null && tpSize == null ? String.valueOf(gpus.split("[, ]+", -1).length) : tpSize;
    job.clearGpus = clearGpus;
    job.profile = profile;
    job.stateDir = stateDir;
    return Plans.profile(job, connection, surroundings().environment());
  }

  /** A profile whose runs do not look at GPUs still names the GPUs that this command looks at. */
  private GpuNeed need(Profile resolved) {
    if (ClearGpus.NONE.word().equals(clearGpus)) {
      throw Failure.of(Exit.USAGE, "--clear-gpus", "none leaves nothing to do: safe or all");
    }
    ClearGpus policy =
        ClearGpus.ofWord(resolved.clearGpus())
            .filter(word -> word != ClearGpus.NONE)
            .orElse(ClearGpus.SAFE);
    return new GpuNeed(policy, resolved.gpus(), resolved.tpSize(), resolved.stateDir());
  }

  private static String question(List<GpuHolder> asked, String host) {
    return "end "
        + asked.stream().map(GpuHolder::says).collect(Collectors.joining("; "))
        + " on "
        + host
        + "?";
  }
}
