package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What ssh_config says of logging in, in the words of ssh -G and of people. */
class LoginOptionsTest {
  private static final Path HOME = Path.of("/home/me");

  @Test
  void whereNothingIsSaidAllWaysAreOpenInTheOrderOfSsh() {
    LoginOptions options = options(Map.of());

    assertThat(options.methods()).containsExactly("publickey", "keyboard-interactive", "password");
    assertThat(options.identitiesOnly()).isFalse();
    assertThat(options.batch()).isFalse();
    assertThat(options.prompts()).isEqualTo(3);
    assertThat(options.agent()).isEqualTo(Optional.of(Path.of("/run/agent")));
    assertThat(options.certificates()).isEmpty();
  }

  @Test
  void waysAreSwitchedOffInEveryWordForIt() {
    assertThat(options(Map.of("pubkeyauthentication", "false")).methods())
        .containsExactly("keyboard-interactive", "password");
    assertThat(options(Map.of("pubkeyauthentication", "host-bound")).methods())
        .contains("publickey");
    assertThat(options(Map.of("passwordauthentication", "No")).methods())
        .containsExactly("publickey", "keyboard-interactive");
    assertThat(options(Map.of("challengeresponseauthentication", "no")).methods())
        .containsExactly("publickey", "password");
    assertThat(
            options(
                    Map.of(
                        "passwordauthentication",
                        "no",
                        "preferredauthentications",
                        "gssapi-with-mic,password, keyboard-interactive,publickey,publickey"))
                .methods())
        .containsExactly("keyboard-interactive", "publickey");
  }

  @Test
  void theNumberOfQuestionsIsBounded() {
    assertThat(options(Map.of("numberofpasswordprompts", "1")).prompts()).isEqualTo(1);
    assertThat(options(Map.of("numberofpasswordprompts", "1000000")).prompts()).isEqualTo(20);
    assertThat(options(Map.of("numberofpasswordprompts", "-1")).prompts()).isZero();
    assertThat(options(Map.of("numberofpasswordprompts", "many")).prompts()).isEqualTo(3);
  }

  @Test
  void theAgentIsNamedInEveryForm() {
    Map.of(
            "none",
            Optional.<Path>empty(),
            "SSH_AUTH_SOCK",
            Optional.of(Path.of("/run/agent")),
            "$MINE",
            Optional.of(Path.of("/run/mine")),
            "$NOTHING",
            Optional.<Path>empty(),
            "${MINE}.2",
            Optional.of(Path.of("/run/mine.2")),
            "~/a%%b/%r@%h:%p/%n",
            Optional.of(Path.of("/home/me/a%b/root@10.0.0.7:2200/gpu7")),
            "%d/x%",
            Optional.of(Path.of("/home/me/x%")))
        .forEach(
            (said, socket) ->
                assertThat(options(Map.of("identityagent", said)).agent())
                    .as(said)
                    .isEqualTo(socket));
  }

  @Test
  void certificatesAreFiles() {
    assertThat(options(Map.of("certificatefile", "~/c %u")).certificates())
        .containsExactly(HOME.resolve("c " + System.getProperty("user.name")));
    assertThat(options(Map.of("certificatefile", "none")).certificates()).isEmpty();
  }

  private static LoginOptions options(Map<String, String> said) {
    SshOptions options = new SshOptions();
    said.forEach(options::add);
    SshDestination destination =
        new SshDestination(
            new SshTarget(Optional.empty(), "gpu7", OptionalInt.empty()),
            "root",
            "10.0.0.7",
            2200,
            "gpu7",
            List.of(),
            false,
            List.of(),
            List.of(),
            HostKeyPolicy.ASK,
            options);
    return LoginOptions.of(
        destination,
        SshSettings.of(HOME)
            .withAgent(Path.of("/run/agent"))
            .withEnvironment(Map.of("MINE", "/run/mine")));
  }
}
