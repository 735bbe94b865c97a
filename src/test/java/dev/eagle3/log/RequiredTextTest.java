package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.LogRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequiredTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "Worker proc (\\S+) died unexpectedly! died unexpectedly",
        "No space left (?:on|in) device(?: twice)?!No space left ",
        "(?:No space left|ENOSPC)(?:.*'(/[^']*)')?!No space left,ENOSPC",
        "one thing|another \\(x\\)!one thing,another (x)",
        "models? max seq! max seq",
        "a{2}bcde+f!bcde",
        "[()|]longer text[^]|]!longer text",
        "^\\[rank\\d+\\]: gone$!]: gone",
        "broken file\\.py!broken file.py",
        "key: {value}!key:",
      })
  void aPatternNeedsItsLongestText(String pattern, String texts) {
    assertThat(String.join(",", RequiredText.of(pattern)).strip()).isEqualTo(texts.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "(?i)error",
        "a|longer",
        "abc",
        "(?:long text)?",
        "\\w+: (.*)",
        "(a|long)x",
        "[abcdef]"
      })
  void nothingIsKnownOfAPatternThatMayNeedNone(String pattern) {
    assertThat(RequiredText.of(pattern)).isEmpty();
  }

  @Test
  void everyPatternOfTheExtractorsNeedsATextThatItsExampleHas() {
    LogRules rules = BuiltInExtractors.named("speculators-0.4").log();
    rules.failures().forEach(rule -> check(rule.pattern().pattern(), rule.example()));
    rules.losses().forEach(rule -> check(rule.pattern().pattern(), rule.example()));
    rules.followers().forEach(rule -> check(rule.pattern().pattern(), rule.example()));
    rules.milestones().forEach(rule -> check(rule.pattern().pattern(), rule.example()));
  }

  private static void check(String pattern, String example) {
    List<String> texts = RequiredText.of(pattern);
    assertThat(texts).as("else every line pays for %s", pattern).isNotEmpty();
    assertThat(texts).as(pattern).anyMatch(example::contains);
  }
}
