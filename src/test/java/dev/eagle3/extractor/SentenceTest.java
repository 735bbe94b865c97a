package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentenceTest {
  private static String fill(String template, String line) {
    Matcher matcher = Pattern.compile("a(\\d)?(?:b(\\w+))?").matcher(line);
    assertThat(matcher.find()).isTrue();
    return Sentence.fill(template, matcher);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "one $1{, two $2}.|a1bx|one 1, two x.",
        "one $1{, two $2}.|a1|one 1.",
        "{$1}{or $2}|a|''",
        "{no group} $9 $x $|a1|no group $9 $x $",
        "$0!|a1bx|a1bx!",
      })
  void whatAGroupDidNotFindIsLeftOutWithItsBraces(String template, String line, String says) {
    assertThat(fill(template, line)).isEqualTo(says);
  }

  @Test
  void whatAGroupHoldsIsCutAndNotLookedAtAgain() {
    assertThat(fill("$2", "ab" + "x".repeat(5000))).hasSize(201);
    Matcher matcher = Pattern.compile("(.*)").matcher("$1 {x} $0");
    assertThat(matcher.find()).isTrue();
    assertThat(Sentence.fill("<$1>", matcher)).isEqualTo("<$1 {x} $0>");
  }

  @ParameterizedTest
  @CsvSource({
    "$3, has $3",
    "{x, has a { without a }",
    "x}, has a } too many",
    "{{x}}, has a { too"
  })
  void aTemplateThatCannotBeFilledIsNamed(String template, String problem) {
    assertThat(Sentence.problem(template, 2))
        .hasValueSatisfying(says -> assertThat(says).startsWith(problem));
    assertThat(Sentence.problem("{$1 of $2}", 2)).isEmpty();
  }
}
