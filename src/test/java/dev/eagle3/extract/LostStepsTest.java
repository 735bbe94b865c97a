package dev.eagle3.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ReconnectingHost;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.Profile;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.profile.ProfileResolver;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStopper;
import dev.eagle3.testing.DroppingHost;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import dev.eagle3.yaml.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole flow over a real connection that goes away at one of its steps: whatever the step did
 * is done once, and the flow goes on.
 */
@Tag("slow")
class LostStepsTest {
  private static final AtomicInteger SALT = new AtomicInteger(1);

  @TempDir Path folder;

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private StandInHost host;
  private Process holder;

  @BeforeEach
  void start() throws Exception {
    host = StandInHost.start(folder, Map.of());
    Path old = Files.createDirectories(host.files().output());
    Files.writeString(old.resolve("data_0.pt"), "of an earlier run");
    // Somebody holds a GPU: what all may end.
    Path device = host.files().devices().resolve("nvidia0");
    holder = new ProcessBuilder("sleep", "600").redirectInput(device.toFile()).start();
  }

  @AfterEach
  void stop() {
    holder.destroyForcibly();
    host.close();
  }

  @ParameterizedTest
  @CsvSource({
    "check-host, 1",
    "check-files, 2",
    "look, 3",
    "look-output, 4",
    "set-aside-look, 5",
    "lock, 6",
    "look-output-again, 7",
    "clear, 8",
    "set-aside, 9",
    "launch, 10"
  })
  @Hostile("the connection drops before a step arrives")
  void aStepThatNeverArrivedIsAskedAgain(String step, int number) throws Exception {
    assertThat(extract(number, true)).as(events.toString()).isEqualTo(Exit.DONE);
    assertAllWasDoneOnce();
  }

  @ParameterizedTest
  @CsvSource({
    "check-host, 1",
    "check-files, 2",
    "look, 3",
    "look-output, 4",
    "set-aside-look, 5",
    "lock, 6",
    "look-output-again, 7",
    "clear, 8",
    "set-aside, 9",
    "launch, 10"
  })
  @Hostile("the connection drops after a step was done and before its answer arrives")
  void aStepWhoseAnswerNeverArrivedIsNotDoneTwice(String step, int number) throws Exception {
    assertThat(extract(number, false)).as(events.toString()).isEqualTo(Exit.DONE);
    assertAllWasDoneOnce();
  }

  private void assertAllWasDoneOnce() throws IOException {
    assertThat(events).anySatisfy(event -> assertThat(event.toString()).contains("was lost"));
    assertThat(runs()).hasSize(1);
    assertThat(holder.isAlive()).isFalse();
    List<Path> aside = beside("hidden_states.before-");
    assertThat(aside).hasSize(1);
    assertThat(aside.get(0).resolve("data_0.pt")).hasContent("of an earlier run");
    assertThat(beside("hidden_states.eagle3-lock")).isEmpty();
    assertThat(events).filteredOn(event -> event instanceof Event.Launch).as("launches").hasSize(1);
  }

  private Exit extract(int at, boolean before) throws IOException {
    ExtractionPlan plan = plan();
    Extractor extractor = BuiltInExtractors.named(plan.extractor());
    ExtractionRequest request =
        new ExtractionRequest(
            plan, extractor.log(), true, Optional.empty(), Optional.empty(), "--host gpu");
    AtomicInteger commands = new AtomicInteger();
    SshSettings settings = SshSettings.of(host.server().clientHome());
    try (Host reached =
        ReconnectingHost.connect(
            () ->
                new DroppingHost(
                    new SshConnector(settings, note -> {}).connect(host.server().target()),
                    commands,
                    at,
                    before,
                    host.server()::cutConnections),
            Duration.ofMinutes(1),
            note -> events.add(new Event.Check("host", "connection", "warning", note)))) {
      Exit exit =
          new Extraction(reached, request, events::add, question -> true, InstantSource.system())
              .run();
      // What it launched has no part in this.
      RunFolder run = new RunFolder(host.state().resolve("runs/" + plan.run()).toString());
      assertThat(RunStopper.stop(new HostScripts(reached), run, Duration.ofSeconds(30)).isOver())
          .isTrue();
      return exit;
    }
  }

  private ExtractionPlan plan() {
    Profile profile =
        ProfileResolver.resolve(
            List.of(
                FlagReader.read(Map.of("host", List.of("gpu"), "clear-gpus", List.of("all"))),
                ProfileReader.read(YamlFile.text(host.profile()), "profile"),
                BuiltInProfiles.named(BuiltInProfiles.DEFAULT)));
    return Planner.plan(
        profile,
        BuiltInExtractors.named(profile.extractor()),
        RunId.of(Clock.systemUTC().instant(), SALT.getAndIncrement()));
  }

  private List<Path> runs() throws IOException {
    return entries(host.state().resolve("runs"), "2").stream().filter(Files::isDirectory).toList();
  }

  private List<Path> beside(String start) throws IOException {
    return entries(host.files().output().resolveSibling("."), start);
  }

  private static List<Path> entries(Path of, String start) throws IOException {
    try (Stream<Path> entries = Files.list(of)) {
      return entries.filter(entry -> entry.getFileName().toString().startsWith(start)).toList();
    }
  }
}
