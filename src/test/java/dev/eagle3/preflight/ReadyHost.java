package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.demo.DemoFolder;
import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.ProfileResolver;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** This machine with the stand-ins of the demo, on which all is ready; a test then spoils one. */
final class ReadyHost {
  final DemoFolder files;
  final Map<String, List<String>> flags = new LinkedHashMap<>();
  final Map<String, String> environment;
  final List<Event.Check> events = new ArrayList<>();

  private ReadyHost(DemoFolder files) {
    this.files = files;
    this.environment =
        new LinkedHashMap<>(files.environment(python().getParent() + ":" + System.getenv("PATH")));
  }

  static ReadyHost in(Path folder) throws IOException {
    ReadyHost host = new ReadyHost(DemoFolder.create(folder));
    host.set("host", "gpu");
    host.set("layers", "2", "30", "58", "60");
    host.set("python", python().toString());
    host.set("script", host.files.script().toString());
    host.set("model-path", host.files.model().toString());
    host.set("prepared-data", host.files.preparedData().toString());
    host.set("output-dir", host.files.output().toString());
    host.set("log-file", host.files.log().toString());
    return host;
  }

  /** A flag of extract. */
  void set(String key, String... words) {
    flags.put(key, List.of(words));
  }

  /** Runs the preflight; the failure that refuses it, if one does. */
  Optional<Failure> check(String... skip) {
    try (Host host = new LocalHost("gpu", environment)) {
      return check(host, skip);
    }
  }

  /** As above, on another host with the same files; it stays the caller's to close. */
  Optional<Failure> check(Host host, String... skip) {
    ExtractionPlan plan =
        Planner.plan(
            ProfileResolver.resolve(
                List.of(FlagReader.read(flags), BuiltInProfiles.named(BuiltInProfiles.DEFAULT))),
            BuiltInExtractors.named("speculators-0.4"),
            new RunId("20261129-171500-0a1b"));
    PreflightRequest request =
        new PreflightRequest(
            Optional.of(BuiltInExtractors.named(plan.extractor())),
            Set.of(skip),
            Duration.ofSeconds(10));
    events.clear();
    try {
      new Preflight(
              new HostScripts(host),
              plan,
              request,
              event -> events.add((Event.Check) event),
              InstantSource.system())
          .check(true);
      return Optional.empty();
    } catch (Failure refused) {
      return Optional.of(refused);
    }
  }

  /** The failure of a check that refuses. */
  Failure refused() {
    Failure failure = check().orElseThrow(() -> new AssertionError("not refused: " + events));
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    return failure;
  }

  /** What a check said, with the verdict before it; empty when it said nothing. */
  List<String> said(String check) {
    return events.stream()
        .filter(event -> event.name().equals(check))
        .map(event -> event.verdict() + ": " + event.says())
        .toList();
  }

  /** All that is not as it should be. */
  List<String> troubles() {
    return events.stream()
        .filter(event -> event.verdict().equals("warning") || event.verdict().equals("refused"))
        .map(event -> event.name() + ": " + event.says())
        .toList();
  }

  /** An interpreter that starts quickly: those of version managers do not. */
  static Path python() {
    Path system = Path.of("/usr/bin/python3");
    return Files.isExecutable(system) ? system : Tools.find("python3");
  }
}
