package dev.eagle3.demo;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.demo.server.LoopbackServer;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.extract.Extraction;
import dev.eagle3.extract.ExtractionRequest;
import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.extractor.Outputs;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.Host;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.preflight.PreflightRequest;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.Profile;
import dev.eagle3.profile.ProfileResolver;
import dev.eagle3.verify.deep.DeepVerifier;
import dev.eagle3.watch.OnBad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The whole flow of {@code extract} on a loopback host: an SSH server in this process, a stand-in
 * extraction script, stand-in devices. Everything lies in one folder and ends with the demo.
 */
public final class Demo {
  private static final String HOST = "demo";
  private static final int BATCH_SECONDS = 2;
  private static final Duration IMPATIENCE = Duration.ofSeconds(3);
  private static final int DEEP_IN_FLIGHT = 4;

  private final EventSink sink;
  private final InstantSource clock;
  private final AtomicReference<Extraction> running = new AtomicReference<>();

  /** A demo that reports what the flow reports. */
  public Demo(EventSink sink, InstantSource clock) {
    this.sink = sink;
    this.clock = clock;
  }

  /**
   * Runs it; blocks for some seconds.
   *
   * @param root existing empty folder that everything goes into; the caller removes it
   * @param fault which fault the stand-in has; empty for none
   * @param path PATH of this machine, where python3 and the tools of a host are
   * @return what {@code extract} exits with
   * @throws IOException when the folder cannot be written, or no server can be started
   */
  public Exit run(Path root, Optional<DemoFault> fault, String path) throws IOException {
    DemoFolder folder = DemoFolder.create(root);
    if (fault.filter(DemoFault.DTYPE_OVERFLOW::equals).isPresent()) {
      folder.setDtype("float16");
    }
    if (fault.filter(DemoFault.BAD_VERSION_PAIR::equals).isPresent()) {
      DemoPackages.install(folder);
    }
    ExtractionPlan plan = plan(folder, fault, PythonFinder.find(path));
    sink.emit(
        new Event.Check(
            "host",
            "stand-in",
            "note",
            "the host is this process, and the extractor a stand-in: no model, no GPU, the values"
                + " are noise"));
    try (LoopbackServer server =
        LoopbackServer.start(
            Files.createDirectory(root.resolve("keys")), folder.environment(path))) {
      Path config = writeConfig(root, server);
      SshSettings settings = SshSettings.of(folder.home()).withConfigFile(config);
      try (Host host = new SshConnector(settings, note -> {}).connect(HOST)) {
        Exit exit = extract(host, plan, fault);
        return exit == Exit.DONE && fault.filter(DemoFault::isOfValues).isPresent()
            ? readValues(host, plan)
            : exit;
      } finally {
        JobEnder.end(folder.home().resolve(".eagle3/runs/" + plan.run() + "/pid"));
      }
    }
  }

  /** Ends the demo from another thread; {@link #run} then returns soon. */
  public void stop() {
    Extraction extraction = running.get();
    if (extraction != null) {
      extraction.stop();
    }
  }

  private Exit extract(Host host, ExtractionPlan plan, Optional<DemoFault> fault) {
    boolean stalls = fault.filter(DemoFault.STALLED::equals).isPresent();
    LogRules rules = BuiltInExtractors.named(plan.extractor()).log();
    ExtractionRequest request =
        new ExtractionRequest(
            plan,
            // Nobody wants to wait for minutes to see that a run which hangs is said to hang.
            stalls ? rules.withQuiet(IMPATIENCE) : rules,
            false,
            Optional.empty(),
            Optional.empty(),
            "--host " + HOST,
            Outputs.Resume.NEVER,
            false,
            OnBad.AUTO,
            preflight(fault));
    EventSink shown = stalls ? this::untilStalled : this::withoutHints;
    Extraction extraction = new Extraction(host, request, shown, question -> false, clock);
    running.set(extraction);
    Exit exit = extraction.run();
    // What is left of an interrupted demo is ended with it: no run goes on.
    return exit == Exit.STOPPED_WATCHING && !stalls ? Exit.INTERRUPTED : exit;
  }

  /** What is said of a run that hangs is said once; then there is nothing more to see. */
  private void untilStalled(Event event) {
    withoutHints(event);
    if (event instanceof Event.Found found
        && found.finding().code().equals(DemoFault.STALLED.code())) {
      stop();
    }
  }

  /** A layer that the model lacks would be refused; what becomes of it is what is to be seen. */
  private static PreflightRequest preflight(Optional<DemoFault> fault) {
    boolean lacking = fault.filter(DemoFault.OUT_OF_RANGE::equals).isPresent();
    return new PreflightRequest(
        Optional.empty(), lacking ? Set.of("layer-ids") : Set.of(), PreflightRequest.SHORT);
  }

  /** What {@code verify-shapes --deep} does, which sees what shapes do not show. */
  private Exit readValues(Host host, ExtractionPlan plan) throws IOException {
    sink.emit(
        new Event.Check(
            "samples", "deep", "note", "no shape shows this fault: now verify-shapes --deep"));
    Instant started = clock.instant();
    FileTree files = host.files();
    Diagnosis diagnosis =
        new Diagnoser(files, DEEP_IN_FLIGHT, new DeepVerifier(files, path -> true), sink)
            .diagnose(List.of(plan.outputDir()), ExpectationSources.ofRun(Expectation.NONE, plan));
    long seconds = Duration.between(started, clock.instant()).toSeconds();
    sink.emit(diagnosis.result().summary(seconds, HOST + ":" + plan.outputDir()));
    return diagnosis.exit();
  }

  /** The host goes with the demo: there is no coming back to it. */
  private void withoutHints(Event event) {
    if (!(event instanceof Event.Hint)) {
      sink.emit(event);
    }
  }

  /** The story's own command, with the paths of the demo's host. */
  private ExtractionPlan plan(DemoFolder folder, Optional<DemoFault> fault, Path python)
      throws IOException {
    Map<String, List<String>> flags = new LinkedHashMap<>();
    flags.put("host", List.of(HOST));
    flags.put("layers", fault.map(DemoFault::layers).orElse(List.of("2", "30", "58", "60")));
    flags.put("python", List.of(python.toString()));
    flags.put("script", List.of(folder.script().toString()));
    flags.put("model-path", List.of(folder.model().toString()));
    flags.put("prepared-data", List.of(preparedData(folder, fault).toString()));
    flags.put("output-dir", List.of(folder.output().toString()));
    flags.put("log-file", List.of(folder.log().toString()));
    fault.ifPresent(shown -> flags.put("env", variables(shown, folder)));
    Profile profile =
        ProfileResolver.resolve(
            List.of(FlagReader.read(flags), BuiltInProfiles.named(BuiltInProfiles.DEFAULT)));
    RunId run = RunId.of(clock.instant(), (int) ProcessHandle.current().pid());
    return Planner.plan(profile, BuiltInExtractors.named(profile.extractor()), run);
  }

  /** Only JSON Lines are read for how many samples they hold, and only their names tell. */
  private static Path preparedData(DemoFolder folder, Optional<DemoFault> fault)
      throws IOException {
    Path samples = folder.preparedData();
    return fault.filter(DemoFault.NOT_COUNTED::equals).isPresent()
        ? Files.copy(samples, samples.resolveSibling("tokenized_data.txt"))
        : samples;
  }

  /** Batches of a fault that is seen at the first samples come slowly enough to be seen. */
  private static List<String> variables(DemoFault fault, DemoFolder folder) {
    if (fault == DemoFault.BAD_VERSION_PAIR) {
      return List.of("PYTHONPATH=" + folder.packages());
    }
    String shown = "EAGLE3_STAND_IN_FAULT=" + fault.code();
    return fault.isOfForm()
        ? List.of(shown, "EAGLE3_STAND_IN_BATCH_SECONDS=" + BATCH_SECONDS)
        : List.of(shown);
  }

  private static Path writeConfig(Path root, LoopbackServer server) throws IOException {
    return Files.writeString(
        root.resolve("ssh_config"),
        """
        Host %s
          HostName 127.0.0.1
          Port %d
          User demo
          IdentityFile "%s"
          IdentitiesOnly yes
          UserKnownHostsFile "%s"
        """
            .formatted(HOST, server.port(), server.identity(), server.knownHosts()));
  }
}
