package dev.eagle3.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.FileStat;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ReconnectingHostTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path folder;

  private final List<String> notes = new CopyOnWriteArrayList<>();
  private OpenSshServer server;
  private Host host;

  @BeforeEach
  void start() throws Exception {
    server = OpenSshServer.in(folder).start();
    host = connect(LONG);
  }

  @AfterEach
  void stop() {
    host.close();
    server.close();
  }

  @Test
  @Hostile("the connection drops between two commands")
  void aCommandAfterALossRunsOnANewConnection() {
    server.cutConnections();

    assertThat(host.run(Command.of("echo back", LONG)).stdout()).isEqualTo("back\n");

    assertThat(notes)
        .containsExactly(
            "the connection to " + host.name() + " was lost; connecting again",
            "connected to " + host.name() + " again");
  }

  @Test
  @Hostile("the connection drops while a command runs")
  void aCommandUnderALossIsLostAndNotRunASecondTime() throws IOException {
    CommandResult result =
        host.run(Command.of("echo once >>" + counted() + "; kill -KILL $PPID; sleep 5", LONG));

    assertThat(result.ending()).isInstanceOf(Ending.Lost.class);
    assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
    assertThat(Files.readAllLines(counted())).containsExactly("once");
  }

  @Test
  @Hostile("the connection drops while a step runs that may be asked again")
  void aRepeatableStepIsAskedAgainUntilItsAnswerArrives() throws IOException {
    ScriptCall call = ScriptCall.of("test-drop", counted().toString(), "1").again();

    ScriptAnswer answer = new HostScripts(host).run(call);

    assertThat(answer.rows("counted")).containsExactly(List.of("2"));
    assertThat(Files.readAllLines(counted())).hasSize(2);
  }

  @Test
  @Hostile("the connection drops while a step runs that must not be repeated")
  void aStepThatIsNotRepeatableIsUnknownAndRanOnce() throws IOException {
    ScriptCall call = ScriptCall.of("test-drop", counted().toString(), "1");

    assertThatThrownBy(() -> new HostScripts(host).run(call))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.LOST);
              assertThat(failure.problem()).endsWith("whether it was done is unknown");
            });
    assertThat(Files.readAllLines(counted())).hasSize(1);
  }

  @Test
  @Hostile("the connection drops each time that a step is asked")
  void aStepThatAlwaysLosesTheConnectionIsGivenUp() throws IOException {
    host.close();
    host = connect(Duration.ofSeconds(1));
    ScriptCall call = ScriptCall.of("test-drop", counted().toString(), "99").again();

    assertThatThrownBy(() -> new HostScripts(host).run(call))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.LOST));
    assertThat(Files.readAllLines(counted())).hasSizeBetween(1, 20);
  }

  @Test
  @Hostile("the connection drops while files are read")
  void questionsAboutFilesAreAskedAgain() throws IOException {
    Path file = Files.writeString(folder.resolve("some file"), "content");
    assertThat(host.files().stat(file.toString())).isPresent();
    server.cutConnections();

    assertThat(host.files().stat(file.toString()).map(FileStat::bytes)).contains(7L);
    server.cutConnections();
    assertThatThrownBy(() -> host.files().list(folder + "/none", 10))
        .isInstanceOf(NoSuchFileException.class);
    server.cutConnections();
    assertThat(host.files().open(file.toString(), 3)).hasContent("tent");
  }

  @Test
  @Hostile("the connection drops in the middle of a file that is read as a stream")
  void aStreamGoesOnAtTheVeryByteOnANewConnection() throws IOException {
    byte[] content = new byte[40 << 20];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("large"), content);

    try (InputStream stream = host.files().open(file.toString(), 5)) {
      byte[] first = stream.readNBytes(1 << 20);
      server.cutConnections();
      byte[] second = stream.readNBytes(16 << 20);
      server.cutConnections();
      byte[] rest = stream.readAllBytes();

      ByteArrayOutputStream read = new ByteArrayOutputStream();
      for (byte[] part : List.of(first, second, rest)) {
        read.writeBytes(part);
      }
      assertThat(Arrays.equals(read.toByteArray(), 0, read.size(), content, 5, content.length))
          .isTrue();
    }
    assertThat(notes).contains("connected to " + host.name() + " again");
  }

  @Test
  @Hostile("many threads lose their connection at once while the server is away")
  void oneThreadConnectsAgainAndAllOthersWaitForIt() throws Exception {
    server.goAway();
    List<CompletableFuture<CommandResult>> results = new ArrayList<>();
    for (int thread = 0; thread < 6; thread++) {
      results.add(
          CompletableFuture.supplyAsync(
              () -> host.run(Command.of("echo back", LONG)),
              command -> new Thread(command).start()));
    }
    Await.until(() -> !notes.isEmpty());

    server.comeBack();

    for (CompletableFuture<CommandResult> result : results) {
      assertThat(result.get(2, TimeUnit.MINUTES).stdout()).isEqualTo("back\n");
    }
    assertThat(notes).hasSize(2);
    assertThat(server.connections()).isEqualTo(1);
    host.close();
    Await.until(() -> server.connections() == 0);
  }

  @Test
  @Hostile("the thread that connects again is interrupted while others wait for it")
  void anInterruptedThreadLeavesConnectingToAnotherOne() throws Exception {
    server.goAway();
    Thread connecting = new Thread(() -> host.run(Command.of("true", LONG)));
    connecting.start();
    Await.until(() -> notes.size() == 1);
    CompletableFuture<CommandResult> result =
        CompletableFuture.supplyAsync(
            () -> host.run(Command.of("echo back", LONG)), command -> new Thread(command).start());

    connecting.interrupt();
    connecting.join();
    server.comeBack();

    assertThat(result.get(2, TimeUnit.MINUTES).stdout()).isEqualTo("back\n");
  }

  @Test
  @Hostile("the server is away for a moment")
  void aServerThatIsAwayIsWaitedFor() throws Exception {
    server.goAway();
    CompletableFuture<CommandResult> result =
        CompletableFuture.supplyAsync(() -> host.run(Command.of("echo back", LONG)));
    Await.until(() -> !notes.isEmpty());

    server.comeBack();

    assertThat(result.get(2, TimeUnit.MINUTES).stdout()).isEqualTo("back\n");
  }

  @Test
  @Hostile("the server never comes back")
  void aServerThatStaysAwayIsGivenUpWithTheReason() {
    host.close();
    host = connect(Duration.ZERO);
    server.goAway();

    assertThat(host.run(Command.of("true", LONG)).ending())
        .isInstanceOfSatisfying(
            Ending.Lost.class,
            lost -> assertThat(lost.why()).startsWith("it could not be restored within 0 s: "));
    assertThatThrownBy(() -> host.files().stat("/")).hasMessageContaining("could not be restored");
    assertThat(host.start(Command.of("true", LONG)).ending()).isInstanceOf(Ending.Lost.class);
  }

  @Test
  @Hostile("the user gives up while the server is away")
  void waitingForAServerEndsWhenItIsNotWantedAnyMore() throws Exception {
    server.goAway();
    CompletableFuture<CommandResult> result =
        CompletableFuture.supplyAsync(() -> host.run(Command.of("true", LONG)));
    Await.until(() -> !notes.isEmpty());

    host.stopReconnecting();

    assertThat(result.get(2, TimeUnit.MINUTES).ending())
        .isEqualTo(new Ending.Lost("it was not made again"));
  }

  private Path counted() {
    return folder.resolve("counted");
  }

  private Host connect(Duration giveUpAfter) {
    SshSettings settings = SshSettings.of(server.clientHome());
    return ReconnectingHost.connect(
        () -> new SshConnector(settings, note -> {}).connect(server.target()),
        giveUpAfter,
        notes::add);
  }
}
