package dev.eagle3.cli;

import dev.eagle3.demo.Demo;
import dev.eagle3.demo.DemoFault;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole flow on this machine. */
@Command(
    name = "demo",
    description = {
      "Run the whole flow of extract on a loopback host, with a stand-in extraction script: no GPU,"
          + " no model, no SSH set-up is needed or touched. Takes some seconds."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 demo",
      "  eagle3 demo --fault layers.reply-unwrapped",
      "  eagle3 demo --fault out-of-memory",
      "  eagle3 demo --keep /tmp/demo",
      "",
      "Exit codes: as extract. With --fault it is 16 where files are wrong or missing; 13 where the"
          + " run fails: out-of-memory, worker-died, disk-full, half-loaded-model, wrong-flag,"
          + " killed; 11 with bad-version-pair; 14 with stalled; and 0 with what spoils no files:"
          + " layers.whole-storage, layers.unsorted, samples.not-counted, log.…"
    })
final class DemoCommand extends ReportingCommand {
  @Option(
      names = "--fault",
      paramLabel = "CODE",
      description = "Show a fault: a code of docs/causes.md, or a word of docs/failures.md.")
  @Nullable String fault;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Put everything in this new or empty folder, and leave it there.")
  @Nullable Path keep;

  DemoCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Optional<DemoFault> shown = Optional.ofNullable(fault).map(DemoCommand::faultOf);
    Demo demo = new Demo(sink, surroundings().clock());
    interruptions(sink).stopWith(demo::stop);
    Path root = null;
    try {
      root = keep == null ? temporary() : emptied(keep);
      Exit exit = demo.run(root, shown, surroundings().variable("PATH").orElse("/usr/bin:/bin"));
      if (exit == Exit.INTERRUPTED) {
        String files = keep == null ? "removed" : "kept in " + root;
        sink.emit(
            new Event.Failed(
                exit.code(), "interrupted", "the run was ended; its files are " + files, ""));
      } else if (keep != null) {
        sink.emit(
            new Event.Hint(
                "kept; look at the files with",
                "eagle3 verify-shapes " + root.resolve("hidden_states")));
      }
      return exit;
    } catch (IOException trouble) {
      throw Failure.of(Exit.LOCAL_FILE, "demo", "cannot be set up: " + trouble.getMessage())
          .causedBy(trouble);
    } finally {
      if (keep == null && root != null) {
        remove(root);
      }
    }
  }

  private static DemoFault faultOf(String code) {
    return DemoFault.named(code)
        .orElseThrow(
            () ->
                Failure.of(Exit.USAGE, "--fault " + code, "is no fault that the demo can show")
                    .orTry("one of: " + String.join(", ", DemoFault.words())));
  }

  private Path temporary() throws IOException {
    String base =
        surroundings().variable("TMPDIR").orElse(System.getProperty("java.io.tmpdir", "/tmp"));
    return Files.createTempDirectory(Path.of(base), "eagle3-demo-");
  }

  private static Path emptied(Path folder) throws IOException {
    Path root = folder.toAbsolutePath().normalize();
    Files.createDirectories(root);
    try (Stream<Path> entries = Files.list(root)) {
      if (entries.findAny().isPresent()) {
        throw Failure.of(Exit.REFUSED, root.toString(), "is not empty; --keep wants a new folder");
      }
    }
    return root;
  }

  /** Removes the demo's own temporary folder; a link in it is removed, never followed. */
  private static void remove(Path root) {
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException left) {
      throw Failure.of(Exit.LOCAL_FILE, root.toString(), "cannot be removed: " + left.getMessage())
          .causedBy(left);
    }
  }
}
