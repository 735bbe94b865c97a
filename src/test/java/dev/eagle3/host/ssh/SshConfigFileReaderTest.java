package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(words("  IdentityFile = \"~/a b/key\"  # mine")).containsExactly("~/a b/key");
    assertThat(words("Port=2222")).containsExactly("2222");
    assertThat(words("\tHost\tgpu7 \"gpu 8\"")).containsExactly("gpu7", "gpu 8");
    assertThat(words("User 'a b'c\\ d\\\\e\r")).containsExactly("a bc d\\e");
    assertThat(words("User \"it's\"")).containsExactly("it's");
    assertThat(SshConfigLine.parse("ProxyCommand nc --x=y \"%h\" # all").rest())
        .isEqualTo("nc --x=y \"%h\" # all");
    assertThat(SshConfigLine.isEmpty("  # Host gpu7")).isTrue();
    assertThat(SshConfigLine.isEmpty(" \t \r")).isTrue();
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

  private static List<String> words(String line) {
    return SshConfigLine.parse(line).withWords().words();
  }

  private SshOptions read(String host, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("config"), text);
    SshOptions options = new SshOptions();
    new SshConfigFileReader(
            SshSettings.of(folder).withConfigFile(file), SshTarget.parse(host), options)
        .read();
    return options;
  }

  @Test
  void patternsOfOneLineHoldTogether() {
    assertThat(Wildcards.matchOne(List.of("!a"), "b")).isFalse();
    assertThat(Wildcards.matchOne(List.of("a", "b"), "b")).isTrue();
    assertThat(Wildcards.matchOne(List.of(), "b")).isFalse();
  }
}
