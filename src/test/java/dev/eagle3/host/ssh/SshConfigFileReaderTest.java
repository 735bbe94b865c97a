package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SshConfigFileReaderTest {
  @TempDir Path folder;

  @Test
  void theFirstValueWinsAndIdentitiesAddUp() throws Exception {
    SshOptions options =
        read(
            "gpu7",
            """
            User early
            IdentityFile ~/.ssh/all
            Host other
              User wrong
            Host gpu*
              User late
              Port 2222
              IdentityFile ~/.ssh/gpu
            """);

    assertThat(options.first("user")).contains("early");
    assertThat(options.first("port")).contains("2222");
    assertThat(options.all("identityfile")).containsExactly("~/.ssh/all", "~/.ssh/gpu");
    assertThat(options.notes()).isEmpty();
  }

  @Test
  void aNegatedPatternShutsAHostOut() throws Exception {
    String text = "Host gpu* !gpu7 !*.example\n  User root\n";

    assertThat(read("gpu8", text).first("user")).contains("root");
    assertThat(read("gpu7", text).first("user")).isEmpty();
    assertThat(read("gpu8.example", text).first("user")).isEmpty();
  }

  @Test
  void wordsMayBeQuotedAndDividedByAnEqualsSign() {
    assertThat(SshConfigFileReader.words("  IdentityFile = \"~/a b/key\"  # mine"))
        .containsExactly("IdentityFile", "~/a b/key");
    assertThat(SshConfigFileReader.words("Port=2222")).containsExactly("Port", "2222");
    assertThat(SshConfigFileReader.words("\tHost\tgpu7 \"gpu 8\""))
        .containsExactly("Host", "gpu7", "gpu 8");
    assertThat(SshConfigFileReader.words("ProxyCommand nc --x=y %h"))
        .containsExactly("ProxyCommand", "nc", "--x=y", "%h");
    assertThat(SshConfigFileReader.words("# Host gpu7")).isEmpty();
    assertThat(SshConfigFileReader.words("   ")).isEmpty();
    assertThat(SshConfigFileReader.words("User \"open end")).containsExactly("User", "open end");
  }

  @Test
  void whatIsNotFollowedIsNoted() throws Exception {
    SshOptions options =
        read(
            "gpu7",
            """
            Host elsewhere
              Include never
            Host gpu7
              Include more/*
            Match exec "touch x"
              User nobody
            Host *
              Port 22
            """);

    assertThat(options.notes())
        .containsExactly(
            folder.resolve("config") + ":4: Include is not followed without an ssh program",
            folder.resolve("config") + ":5: Match is not followed without an ssh program");
    assertThat(options.first("user")).isEmpty();
    assertThat(options.first("port")).contains("22");
  }

  @Test
  void aFileThatTheUserNamedMustExist() {
    Path missing = folder.resolve("missing");

    assertThat(new SshConfigFileReader(missing, false).read("gpu7").all("user")).isEmpty();
    assertThatThrownBy(() -> new SshConfigFileReader(missing, true).read("gpu7"))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.LOCAL_FILE))
        .hasMessageContaining(missing.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "*,anything,true", "gpu?,gpu7,true", "gpu?,gpu77,false", "gpu?,gpu,false", "*.a.b,x.a.b,true",
    "*.a.b,a.b,false", "a*b*c,aXbYbZc,true", "a*b*c,aXbYb,false", "gpu7,GPU7,false", "**,x,true",
  })
  void patternsHaveStarsAndQuestionMarks(String pattern, String text, boolean fits) {
    assertThat(Wildcards.match(pattern, text)).isEqualTo(fits);
  }

  @Test
  void aHostilePatternTakesNoLongTime() {
    assertThat(Wildcards.match("*a".repeat(2_000) + "b", "a".repeat(20_000))).isFalse();
  }

  private SshOptions read(String host, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("config"), text);
    return new SshConfigFileReader(file, true).read(host);
  }

  @Test
  void patternsOfOneLineHoldTogether() {
    assertThat(SshConfigFileReader.matches(List.of("!a"), "b")).isFalse();
    assertThat(SshConfigFileReader.matches(List.of("a", "b"), "b")).isTrue();
    assertThat(SshConfigFileReader.matches(List.of(), "b")).isFalse();
  }
}
