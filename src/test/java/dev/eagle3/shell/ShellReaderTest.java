package dev.eagle3.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellReaderTest {
  @Test
  void wordsLoseTheirQuotesAsInAShell() {
    assertThat(words("a 'b c' \"d \\\"e\\\" \\x\" f\\ g '' \"\" h'i'\"j\""))
        .containsExactly("a", "b c", "d \"e\" \\x", "f g", "", "", "hij");
    assertThat(words("a \\\n  b # and more\n")).containsExactly("a", "b");
    assertThat(words("echo a#b '#c' \\#d")).containsExactly("echo", "a#b", "#c", "#d");
    assertThat(words("a $'b\\n\\'c'")).containsExactly("a", "b\n'c");
  }

  /** The second opinion is a real shell, which is given words and prints them. */
  @Test
  void randomWordsAreReadAsARealShellReadsThem() throws Exception {
    String[] pieces = {
      " ", "'", "\"", "\\", "a", "b c", "''", "\"\"", "\\\n", "-x=", "/", "%", ",", "é", "\\'", "\t"
    };
    Random random = new Random(7);
    int compared = 0;
    for (int round = 0; round < 400; round++) {
      StringBuilder text = new StringBuilder("w ");
      for (int count = random.nextInt(9); count > 0; count--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      List<String> ours;
      try {
        ours = words(text.toString());
      } catch (Failure unclosed) {
        continue;
      }
      compared++;
      if (compared > 60) {
        break;
      }
      assertThat(ours).as("%s", text).isEqualTo(shellWords(text.toString()));
    }
    assertThat(compared).isGreaterThan(40);
  }

  @Test
  void expansionsStayAsTheyWereTypedAndAreNamed() {
    ShellWord word = simple("x $HOME/\"${A:-b c}\"/'$C'/$(id -u)/`x`/$").words().get(1);

    assertThat(word.text()).isEqualTo("$HOME/${A:-b c}/$C/$(id -u)/`x`/$");
    assertThat(word.expansions()).containsExactly("$HOME", "${A:-b c}", "$(id -u)", "`x`");
    assertThat(word.isPlain()).isFalse();
    assertThat(simple("x '$A' \"\\$A\" a\\*").words()).allMatch(ShellWord::isPlain);
    assertThat(simple("x a*").words().get(1).isPattern()).isTrue();
    assertThat(simple("x ~/a").words().get(1).expansions()).containsExactly("~");
    assertThat(simple("x a~/b '~/c'").words()).allMatch(ShellWord::isPlain);
  }

  @Test
  void assignmentsAreSeenOnlyWithTheirNameOutsideOfQuotes() {
    assertThat(simple("A='b c'").words().get(0).assignment())
        .hasValueSatisfying(
            set -> {
              assertThat(set.name()).isEqualTo("A");
              assertThat(set.value().text()).isEqualTo("b c");
              assertThat(set.value().source()).isEqualTo("'b c'");
            });
    assertThat(simple("A=").words().get(0).assignment()).isPresent();
    for (String none : List.of("'A'=b", "1A=b", "--a=b", "=b", "$A=b")) {
      assertThat(simple(none).words().get(0).assignment()).as(none).isEmpty();
    }
  }

  @Test
  void listsPipesAndGroupsKeepTheirOrder() {
    List<ShellPipeline> list = ShellReader.read("a && b | c || d; e & (f; g) > h\ni");

    assertThat(list.stream().map(ShellPipeline::after))
        .containsExactly("&&", "||", ";", "&", ";", "");
    assertThat(list.stream().map(ShellPipeline::source))
        .containsExactly("a", "b | c", "d", "e", "(f; g) > h", "i");
    assertThat(list.get(1).commands()).hasSize(2);
    ShellCommand.Group group = (ShellCommand.Group) list.get(4).commands().get(0);
    assertThat(group.body()).hasSize(2);
    assertThat(group.redirections()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "a > f, true, false",
    "a >> f, true, false",
    "a 1> f, true, false",
    "a &> f, true, false",
    "a >& f, true, false",
    "a >| f, true, false",
    "a 2> f, false, true",
    "a 2>&1, false, false",
    "a >&2, false, false",
    "a < f, false, false"
  })
  void redirectionsSayWhatTheyTake(String text, boolean output, boolean errors) {
    Redirection redirection = simple(text).redirections().get(0);

    assertThat(redirection.takesOutput()).isEqualTo(output);
    assertThat(redirection.takesErrors()).isEqualTo(errors);
  }

  @Test
  void aNumberIsADescriptorOnlyRightBeforeTheOperator() {
    assertThat(words("a 2 >f")).containsExactly("a", "2");
    assertThat(words("a 2>f")).containsExactly("a");
    assertThat(words("a b2>f")).containsExactly("a", "b2");
  }

  @Test
  void hereDocumentsAreReadToTheirEnd() {
    ShellCommand.Simple command = simple("ssh h bash -s <<'EOF' > log\ncd /x\npython3 y.py\nEOF\n");

    assertThat(command.words()).hasSize(4);
    assertThat(command.redirections().get(0).input()).hasValue("cd /x\npython3 y.py\n");
    assertThat(simple("bash <<< 'a b'").redirections().get(0).input()).hasValue("a b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a 'b",
        "a \"b",
        "a `b",
        "a $(b",
        "a ${b",
        "(a",
        "{ a; ",
        "a)",
        "a \\",
        "a &&",
        "| a",
        "a > ",
        "a | | b",
        "a <<EOF\nb",
        "for i in 1; do x; done",
        "if x; then y; fi",
        "f() { x; }",
        "a\u0000b",
        "a\u001bb",
        "a\u0085b",
        "a\ud800b",
        "a $'b\\x41'"
      })
  void whatCannotBeReadIsOneClearSentence(String text) {
    assertThatThrownBy(() -> ShellReader.read(text))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.USAGE);
              assertThat(failure.subject()).isEqualTo("launch line");
              assertThat(failure.problem()).isNotBlank().doesNotContain("\n");
            });
  }

  @Test
  void aLineOfAMegabyteIsRefusedAndDeepOnesToo() {
    for (String text :
        List.of(
            "a".repeat(1 << 20),
            "(".repeat(100_000),
            "$(".repeat(60_000),
            "a ${".repeat(30_000),
            "{ ".repeat(60_000))) {
      assertThatThrownBy(() -> ShellReader.read(text)).isInstanceOf(Failure.class);
    }
    assertThat(ShellReader.read("a ".repeat(60_000))).hasSize(1);
    assertThat(ShellReader.read("a;".repeat(60_000))).hasSize(60_000);
  }

  @Test
  void randomTextIsReadOrRefusedAndNeverBreaks() {
    String characters = "ab 'c\"\\$(){}`;&|<>#~*=\n\t-1/é";
    Random random = new Random(1);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int count = random.nextInt(30); count > 0; count--) {
        text.append(characters.charAt(random.nextInt(characters.length())));
      }
      try {
        assertThat(ShellReader.read(text.toString())).isNotNull();
      } catch (Failure refused) {
        assertThat(refused.exit()).isEqualTo(Exit.USAGE);
      }
    }
  }

  private static List<String> shellWords(String text) throws IOException {
    Process shell =
        new ProcessBuilder(
                "/bin/sh",
                "-f",
                "-c",
                "w() { for word; do printf '%s\\0' \"$word\"; done; }\n" + text)
            .redirectErrorStream(true)
            .start();
    String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of("w"));
    if (!out.isEmpty()) {
      words.addAll(List.of(out.substring(0, out.length() - 1).split("\0", -1)));
    }
    return words;
  }

  private static ShellCommand.Simple simple(String text) {
    List<ShellPipeline> list = ShellReader.read(text);
    assertThat(list).hasSize(1);
    return (ShellCommand.Simple) list.get(0).commands().get(0);
  }

  private static List<String> words(String text) {
    return simple(text).words().stream().map(ShellWord::text).toList();
  }
}
