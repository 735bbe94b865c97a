package dev.eagle3.run;

import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.plan.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A home folder on a host for tests that launch real jobs. The job of a plan is a shell script, its
 * interpreter {@code /bin/sh}. Closing it ends whatever of the runs still lives.
 */
public final class RunBench implements AutoCloseable {
  /** Far apart in every test process: a run of another one is no run of ours. */
  private static final AtomicInteger SALT = new AtomicInteger(new SecureRandom().nextInt(1 << 28));

  private static final Instant LAUNCH = Instant.parse("2026-11-29T17:15:00Z");

  private final Path home;
  private final Host host;
  private final HostScripts scripts;
  private final List<ExtractionPlan> launched = new ArrayList<>();

  /** A bench on this machine, its home a folder with a blank in its name. */
  public RunBench(Path folder) throws IOException {
    this(folder, Map.of());
  }

  /** The same with further variables in the environment of the host's shells. */
  public RunBench(Path folder, Map<String, String> variables) throws IOException {
    this(homeIn(folder), localHost(homeIn(folder), variables));
  }

  /** A bench on another host, which sees the folder under the same path as its home. */
  public RunBench(Path home, Host host) {
    this.home = home;
    this.host = host;
    this.scripts = new HostScripts(host);
  }

  private static Path homeIn(Path folder) throws IOException {
    return Files.createDirectories(folder.toRealPath().resolve("some home"));
  }

  /** This machine with another home folder. */
  public static Host localHost(Path home, Map<String, String> variables) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("HOME", home.toString());
    environment.putAll(variables);
    return new LocalHost("local", environment);
  }

  public Path home() {
    return home;
  }

  public Host host() {
    return host;
  }

  public HostScripts scripts() {
    return scripts;
  }

  /** A plan whose job is this shell text, with a fresh run id. */
  public ExtractionPlan plan(String job, String... arguments) throws IOException {
    RunId run = newRun();
    Path script = Files.writeString(home.resolve("job-" + run + ".sh"), job);
    return plan(run, script.toString(), List.of(arguments), Map.of());
  }

  private static RunId newRun() {
    int salt = SALT.getAndIncrement();
    return RunId.of(LAUNCH.plusSeconds(salt), salt);
  }

  /** A plan with everything that a test may want to choose. */
  public ExtractionPlan plan(
      RunId run, String script, List<String> arguments, Map<String, String> environment) {
    return new ExtractionPlan(
        run,
        host.name(),
        "test",
        "/bin/sh",
        script,
        arguments,
        environment,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        "/models/m",
        "/data/prepared.jsonl",
        home.resolve("hidden states").toString(),
        home.resolve("extract.log").toString(),
        List.of(2),
        1,
        1,
        2048,
        List.of(),
        ClearGpus.NONE,
        PreviousOutput.SET_ASIDE,
        Optional.empty());
  }

  /** Locks and launches. */
  public Launched launch(ExtractionPlan plan) {
    OutputLocker.lock(scripts, plan);
    launched.add(plan);
    return Launcher.launch(scripts, plan);
  }

  /** The state now. */
  public RunState state(ExtractionPlan plan) {
    return status(plan).state();
  }

  /** The status now. */
  public RunStatus status(ExtractionPlan plan) {
    return RunStateReader.read(scripts, plan.stateDir(), plan.run().text());
  }

  /** The folder of a run as a path of this machine. */
  public Path folder(ExtractionPlan plan) {
    return home.resolve(".eagle3/runs").resolve(plan.run().text());
  }

  /** The state once the run has ended. */
  public RunState ended(ExtractionPlan plan) {
    AtomicReference<RunState> last = new AtomicReference<>(state(plan));
    Await.until(
        () ->
            Objects.requireNonNull(last.get()).hasEnded()
                || last.updateAndGet(before -> state(plan)).hasEnded());
    RunState state = Objects.requireNonNull(last.get());
    if (state.isOver()) {
      launched.remove(plan);
    }
    return state;
  }

  /** Waits for a file that a job writes at once, and reads it. */
  public static String awaitText(Path file) {
    Await.until(() -> Files.exists(file) && file.toFile().length() > 0);
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  /** Signals a process that the test knows to be its own. */
  public static void signal(String name, long pid) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
    } catch (IOException | InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public void close() {
    for (ExtractionPlan plan : launched) {
      // The wrapper first; what it was watching over then shows as orphaned.
      Await.until(() -> endedOrEnd(plan));
    }
    host.close();
  }

  private boolean endedOrEnd(ExtractionPlan plan) {
    List<Long> pids =
        RunStateReader.find(scripts, plan.stateDir(), plan.run().text())
            .map(status -> status.state().pids())
            .orElse(List.of());
    // By the host that listed them: in a pid namespace of its own other processes have these
    // numbers.
    pids.forEach(pid -> host.run(Command.of("kill -KILL " + pid, Duration.ofMinutes(1))));
    return pids.isEmpty();
  }
}
