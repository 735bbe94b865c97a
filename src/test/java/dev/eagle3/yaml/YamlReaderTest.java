package dev.eagle3.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {
  @Test
  void scalarsKeepTheirTextAndTheirForm() {
    assertThat(read("[0.80, 2048, 010, true, yes, '8', \"null\", null, ~, !!str 5, a b, '']"))
        .isEqualTo(
            new YamlNode.Items(
                1,
                List.of(
                    number("0.80"),
                    number("2048"),
                    number("010"),
                    new YamlNode.Text(1, "true", YamlNode.Form.TRUTH),
                    text("yes"),
                    text("8"),
                    text("null"),
                    new YamlNode.Nothing(1),
                    new YamlNode.Nothing(1),
                    text("5"),
                    text("a b"),
                    text(""))));
  }

  @Test
  void entriesKnowTheirLinesAndKeepRepeatedKeys() {
    YamlNode.Entries root = (YamlNode.Entries) read("# top\na: 1\n\nb:\n  c: x\na: 2\nd:\n");

    assertThat(root.entries())
        .extracting(YamlNode.Entry::key, YamlNode.Entry::line)
        .containsExactly(tuple("a", 2), tuple("b", 4), tuple("a", 6), tuple("d", 7));
    assertThat(root.entries().get(3).value()).isEqualTo(new YamlNode.Nothing(7));
  }

  @Test
  void anEmptyFileIsAnEmptyMap() {
    assertThat(read("")).isEqualTo(new YamlNode.Entries(1, List.of()));
    assertThat(read("# nothing\n")).isEqualTo(new YamlNode.Entries(1, List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`a: 1\nb: c: d\n`|f.yaml:2|is not valid YAML: mapping values are not allowed here",
        "`a: [1\nb`|f.yaml:2|is not valid YAML",
        "`a:\n\t- b\n`|f.yaml:2|is not valid YAML",
        "`a: &x 1\nb: *x\n`|f.yaml:2|aliases",
        "`a: 1\nb: !!javax.script.ScriptEngineManager [x]\n`|f.yaml:2|tags",
        "`a: !!python/object/apply:os.system id\n`|f.yaml:1|tags",
        "`a: !foo {b: 1}\n`|f.yaml:1|tags",
        "`a: 1\n---\nb: 1\n`|f.yaml:3|second document",
        "`a: 1\n? [b, c]\n: 1\n`|f.yaml:2|is not valid YAML",
        "`\na: \u0001\n`|f.yaml:2|control character \\x01",
      })
  void whatIsNotTakenIsNamedWithItsLine(String text, String subject, String problem) {
    Failure failure = catchThrowableOfType(Failure.class, () -> read(text));

    assertThat(failure.exit()).isEqualTo(Exit.PROFILE);
    assertThat(failure.subject()).isEqualTo(subject);
    assertThat(failure.problem()).contains(problem).doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({"'[',''", "'{a: ',''", "'- ',x", "'? ',x", "'[[],',''", "'\"a\": [',''"})
  void deepNestingIsRefused(String unit, String end) {
    String text = unit.repeat(200_000 / unit.length()) + end;

    assertThatThrownBy(() -> read(text)).isInstanceOf(Failure.class);
  }

  @Test
  void aBombOfAliasesIsRefused() {
    String bomb =
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
            + IntStream.range(1, 12)
                .mapToObj(
                    level ->
                        "aN: &aN [*aM, *aM, *aM, *aM]\n"
                            .replace("N", "" + level)
                            .replace("M", "" + (level - 1)))
                .collect(Collectors.joining());

    assertThatThrownBy(() -> read(bomb)).hasMessageContaining("aliases");
  }

  @Test
  void aLongFileIsRefusedBeforeItIsRead() {
    assertThatThrownBy(() -> read("a: " + "x".repeat(1 << 20))).hasMessageContaining("1 MiB");
  }

  @Test
  void aFileOfTheLimitIsReadAndOneValueMoreIsRefused() {
    String list = "- a\n".repeat(YamlReader.MOST_VALUES - 1);

    assertThat(((YamlNode.Items) read(list)).items()).hasSize(YamlReader.MOST_VALUES - 1);
    assertThatThrownBy(() -> read(list + "- a\n")).hasMessageContaining("more than 20000 values");
  }

  private static YamlNode read(String text) {
    return YamlReader.read(text, "f.yaml");
  }

  private static YamlNode text(String text) {
    return new YamlNode.Text(1, text, YamlNode.Form.TEXT);
  }

  private static YamlNode number(String text) {
    return new YamlNode.Text(1, text, YamlNode.Form.NUMBER);
  }
}
