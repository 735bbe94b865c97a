package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What StrictHostKeyChecking and the files of known_hosts make of an unknown host. */
@Tag("slow")
class HostKeyAskTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static String known;

  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();
  private Path file = Path.of("unset");

  @BeforeAll
  static void start() throws Exception {
    server = OpenSshServer.in(serverFolder).start();
    known = Files.readString(server.knownHosts());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void knowNothing() {
    file = folder.resolve("known");
  }

  @Test
  void yesTakesTheKeyAndWritesItDown() throws Exception {
    ScriptedPrompter prompter = new ScriptedPrompter("maybe", " YES ");

    connect(settings().withPrompter(prompter));

    assertThat(prompter.questions().get(0))
        .startsWith("open the authenticity of host 127.0.0.1:" + server.port())
        .contains("ED25519 " + fingerprint())
        .endsWith("(yes/no/[fingerprint])? ");
    assertThat(prompter.questions().get(1))
        .isEqualTo("open please type yes, no, or the fingerprint: ");
    assertThat(file).hasContent(known);
    connect(settings());
  }

  @Test
  void theFingerprintTakesTheKeyToo() throws Exception {
    connect(settings().withPrompter(new ScriptedPrompter("SHA256:wrong", fingerprint())));

    assertThat(file).hasContent(known);
  }

  @Test
  void noAndNothingAndGivingUpRefuseIt() throws Exception {
    for (ScriptedPrompter prompter :
        List.of(
            new ScriptedPrompter("no"),
            new ScriptedPrompter(""),
            new ScriptedPrompter("what", "who"))) {
      assertThat(refusal(settings().withPrompter(prompter)).problem())
          .endsWith("is not known, and you did not take it");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  @Hostile("a terminal that answers rubbish for ever")
  void rubbishIsNotAskedForForEver() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Prompter rubbish =
        new Prompter() {
          @Override
          public Optional<char[]> secret(String question) {
            return Optional.empty();
          }

          @Override
          public Optional<String> line(String question) {
            asked.incrementAndGet();
            return Optional.of("\u001b[A");
          }
        };

    assertThat(refusal(settings().withPrompter(rubbish)).problem()).contains("did not take it");
    assertThat(asked.get()).isLessThan(100);
  }

  @Test
  void aPersonMayThinkLongerThanAServerMayTake() throws Exception {
    Prompter slow =
        new Prompter() {
          @Override
          public Optional<char[]> secret(String question) {
            return Optional.empty();
          }

          @Override
          public Optional<String> line(String question) {
            long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (System.nanoTime() < until) {
              LockSupport.parkNanos(until - System.nanoTime());
            }
            return Optional.of("yes");
          }
        };

    connect(
        settings().withPrompter(slow).withLimits(Duration.ofSeconds(4), Duration.ofSeconds(30)));

    assertThat(file).hasContent(known);
  }

  @Test
  void strictCheckingAsksNobody() throws Exception {
    ScriptedPrompter prompter = new ScriptedPrompter("yes");

    Failure failure = refusal(settings("StrictHostKeyChecking yes").withPrompter(prompter));

    assertThat(failure.problem()).contains("is not in ");
    assertThat(prompter.questions()).isEmpty();
  }

  @Test
  void newKeysMayBeTakenAndChangedOnesNever() throws Exception {
    for (String policy : List.of("accept-new", "no")) {
      Files.deleteIfExists(file);
      connect(settings("StrictHostKeyChecking " + policy));
      assertThat(file).hasContent(known);

      Path other = KeyMaker.make(folder.resolve(policy), "");
      String line =
          "[127.0.0.1]:" + server.port() + " " + Files.readString(Path.of(other + ".pub"));
      Files.writeString(file, line);
      Failure failure =
          refusal(
              settings("StrictHostKeyChecking " + policy)
                  .withPrompter(new ScriptedPrompter("yes")));
      assertThat(failure.problem()).contains("its host key has changed");
      assertThat(failure.tryNext().orElseThrow())
          .endsWith("ssh-keygen -f " + file + " -R '[127.0.0.1]:" + server.port() + "'");
      assertThat(file).hasContent(line);
    }
  }

  @Test
  void aNameMayBeHidden() throws Exception {
    connect(settings("StrictHostKeyChecking accept-new", "HashKnownHosts yes"));

    assertThat(Files.readString(file)).startsWith("|1|").doesNotContain("127.0.0.1");
    connect(settings());
  }

  @Test
  void anAliasOfTheKeyIsWhatIsSearchedAndWrittenAndSaid() throws Exception {
    connect(settings("StrictHostKeyChecking accept-new", "HostKeyAlias cluster"));
    assertThat(Files.readString(file)).startsWith("cluster ssh-ed25519 ");
    connect(settings("HostKeyAlias cluster"));
    assertThat(refusal(settings()).problem()).contains("is not in ");

    Path other = KeyMaker.make(folder.resolve("other"), "");
    Files.writeString(file, "cluster " + Files.readString(Path.of(other + ".pub")));
    assertThat(refusal(settings("HostKeyAlias cluster")).tryNext().orElseThrow())
        .endsWith("ssh-keygen -f " + file + " -R cluster");
  }

  @Test
  void everyFileIsReadAndTheFirstIsWritten() throws Exception {
    Path second = folder.resolve("second");
    Path global = folder.resolve("global");
    String several = "UserKnownHostsFile " + file + " " + second;
    String everywhere = "GlobalKnownHostsFile " + global;
    Files.writeString(second, known);
    connect(settings(several, everywhere));
    Files.delete(second);
    Files.writeString(global, known);
    connect(settings(several, everywhere));
    Files.writeString(second, known.replace("[", "@revoked ["));
    assertThat(refusal(settings(several, everywhere)).problem())
        .contains("is revoked in " + second + ":1");
    Files.delete(global);
    Files.delete(second);

    connect(settings("StrictHostKeyChecking accept-new", several, everywhere));

    assertThat(file).hasContent(known);
    assertThat(global).doesNotExist();
    assertThat(second).doesNotExist();
  }

  @Test
  void nothingIsKeptWhereThereIsNoFileForIt() throws Exception {
    for (String none : List.of("none", "/dev/null")) {
      connect(settings("StrictHostKeyChecking no", "UserKnownHostsFile " + none));
    }
    assertThat(file).doesNotExist();
    assertThat(notes.get(0)).contains("for this connection only");
  }

  @Test
  @Hostile("known_hosts that cannot be written")
  void aKeyThatCannotBeWrittenDownIsNotTaken() throws Exception {
    Files.createDirectory(file);

    assertThat(refusal(settings("StrictHostKeyChecking accept-new")).problem())
        .contains(file.toString());
  }

  @Test
  void whatIsNotFollowedIsNotedOnce() throws Exception {
    Files.writeString(file, known);

    connect(settings("KnownHostsCommand /bin/false %H", "VerifyHostKeyDNS yes"));

    assertThat(notes)
        .containsExactlyInAnyOrder(
            server.target() + ": KnownHostsCommand of ssh_config is not followed",
            server.target() + ": VerifyHostKeyDNS of ssh_config is not followed");
  }

  private SshSettings settings(String... lines) throws Exception {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add("UserKnownHostsFile " + file);
    all.add("GlobalKnownHostsFile none");
    all.add("HashKnownHosts no");
    all.add("IdentityFile " + server.identity());
    Path config = Files.write(folder.resolve("config"), all);
    return SshSettings.of(folder).withConfigFile(config);
  }

  private void connect(SshSettings settings) {
    try (Host host = new SshConnector(settings, notes::add).connect(server.target())) {
      assertThat(host.run(Command.of("true", Duration.ofMinutes(1))).succeeded()).isTrue();
    }
  }

  private Failure refusal(SshSettings settings) {
    Failure failure = catchThrowableOfType(Failure.class, () -> connect(settings));
    assertThat(failure).as("the host was trusted").isNotNull();
    assertThat(failure.problem()).doesNotContain("Exception").doesNotContain("\u001b");
    return failure;
  }

  private static String fingerprint() {
    return HostKeys.fingerprint(
        java.util.Base64.getDecoder()
            .decode(known.strip().substring(known.strip().lastIndexOf(' ') + 1)));
  }
}
