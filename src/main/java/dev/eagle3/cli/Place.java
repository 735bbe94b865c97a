package dev.eagle3.cli;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.output.OutputNotes;
import dev.eagle3.output.OutputNotesReader;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the targets of a command lie: one machine, and paths on it. It is open until it is closed.
 *
 * @param host the host, {@code null} for local files
 * @param files its files
 * @param paths absolute paths on it
 * @param plan the plan of the run that made the files, when a run was named
 */
record Place(@Nullable Host host, FileTree files, List<String> paths, Optional<ExtractionPlan> plan)
    implements Closeable {

  /** Copies the list. */
  Place {
    paths = List.copyOf(paths);
  }

  /**
   * Opens the place of some targets; connects when they lie on a host.
   *
   * @param sink is told when files of a run are elsewhere by now
   * @throws Failure {@code USAGE} for targets of several machines, {@code UNREACHABLE}, {@code
   *     REFUSED} for a run that is not there
   */
  static Place open(
      List<String> targets,
      Optional<String> stateDir,
      Hosts hosts,
      Optional<String> givenHost,
      EventSink sink) {
    List<String> paths = new ArrayList<>();
    Optional<Target.Run> run = Optional.empty();
    Optional<String> remote = Optional.empty();
    boolean local = false;
    for (String text : targets) {
      Target target = Target.parse(text, givenHost);
      if (target instanceof Target.Run named) {
        run = Optional.of(named);
      } else if (target instanceof Target.Remote there) {
        if (remote.isPresent() && !remote.get().equals(there.host())) {
          throw several();
        }
        remote = Optional.of(there.host());
        paths.add(there.path());
      } else if (target instanceof Target.Local here) {
        local = true;
        paths.add(Path.of(here.path()).toAbsolutePath().normalize().toString());
      }
    }
    if (run.isPresent()) {
      if (targets.size() > 1) {
        throw Failure.of(Exit.USAGE, "targets", "a run stands alone: name one run, or paths");
      }
      return ofRun(run.get(), stateDir, hosts, sink);
    }
    if (local && remote.isPresent()) {
      throw several();
    }
    if (remote.isEmpty()) {
      return new Place(null, new LocalFileTree(), once(paths), Optional.empty());
    }
    Host host = hosts.connect(remote.get());
    return new Place(host, host.files(), once(absolute(host, paths)), Optional.empty());
  }

  /** How texts name a path of this place: {@code host:path}, or the path. */
  String shown(String path) {
    return host == null ? path : host.name() + ":" + path;
  }

  /**
   * The path that an option names on the machine of this place, as targets are named: relative ones
   * from where eagle3 was started, or from the home folder of the host.
   *
   * @throws Failure {@code USAGE} for a path of another machine
   */
  String here(String option, String word) {
    Target target = Target.parse(word, Optional.empty());
    if (target instanceof Target.Remote there) {
      if (host == null || !there.host().equals(host.name())) {
        throw Failure.of(
                Exit.USAGE,
                option + " " + Printable.line(word, 200),
                "is on another machine than the files, which are "
                    + (host == null ? "on this one" : "on " + host.name()))
            .orTry("a path on the machine of the files");
      }
      return withoutSlash(absolute(host, List.of(there.path())).get(0));
    }
    if (word.isBlank()) {
      throw Failure.of(Exit.USAGE, option, "names no path");
    }
    return host == null
        ? Path.of(word).toAbsolutePath().normalize().toString()
        : withoutSlash(absolute(host, List.of(word)).get(0));
  }

  private static String withoutSlash(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  @Override
  public void close() {
    if (host != null) {
      host.close();
    }
  }

  private static Place ofRun(
      Target.Run run, Optional<String> stateDir, Hosts hosts, EventSink sink) {
    String name = hosts.nameOfRuns();
    Host host = hosts.connect(name);
    HostScripts scripts = new HostScripts(host, hosts.words(name, stateDir));
    String id = run.id().map(Object::toString).orElse(RunStateReader.LATEST);
    try {
      RunStatus status = RunStateReader.read(scripts, stateDir, id);
      ExtractionPlan plan = PlanReader.read(host.files(), status.folder());
      String folder = whereabouts(scripts, stateDir, plan, sink);
      return new Place(host, host.files(), List.of(folder), Optional.of(plan));
    } catch (IOException unreadable) {
      host.close();
      throw Failure.of(
              Exit.LOST,
              name,
              "the plan of run " + id + " cannot be read: " + unreadable.getMessage())
          .causedBy(unreadable);
    } catch (Failure failure) {
      host.close();
      throw failure;
    }
  }

  /** Where the files of a run are now: it may have been undone, or its output set aside since. */
  private static String whereabouts(
      HostScripts scripts, Optional<String> stateDir, ExtractionPlan plan, EventSink sink) {
    OutputNotes notes = OutputNotesReader.read(scripts, stateDir);
    Optional<OutputNotes.Whereabouts> where = notes.whereabouts(plan.run());
    if (where.isEmpty() || where.get().why().isEmpty()) {
      return plan.outputDir();
    }
    String says = OutputNotes.says(plan.run(), where.get()).orElse("");
    String folder =
        where
            .get()
            .folder()
            .orElseThrow(
                () -> Failure.of(Exit.REFUSED, "run " + plan.run(), says + ": it has no files"));
    sink.emit(new Event.Check("output", "whereabouts", "note", says));
    return folder;
  }

  /** Paths as {@code scp} takes them: relative ones from the home folder there. */
  static List<String> absolute(Host host, List<String> paths) {
    if (paths.stream().allMatch(path -> path.startsWith("/"))) {
      return paths;
    }
    String home =
        new HostScripts(host)
            .run(ScriptCall.of("probe-host").again()).rows("home").stream()
                .flatMap(List::stream)
                .filter(folder -> folder.startsWith("/"))
                .findFirst()
                .orElseThrow(
                    () ->
                        Failure.of(Exit.REFUSED, host.name(), "says no home folder")
                            .orTry("an absolute path"));
    return paths.stream()
        .map(path -> path.startsWith("~/") ? path.substring(2) : path)
        .map(path -> path.startsWith("/") ? path : home + "/" + path)
        .toList();
  }

  /** Each path once, however often it is named. */
  private static List<String> once(List<String> paths) {
    return paths.stream().distinct().toList();
  }

  private static Failure several() {
    return Failure.of(Exit.USAGE, "targets", "lie on several machines")
        .orTry("one command for each machine");
  }
}
