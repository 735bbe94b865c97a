package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogRuleSetsTest {
  private static final LogRules ALL = LogRuleSets.all();

  @Test
  void theNamesAreThoseOfTheFolder() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/log-rules"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(LogRuleSets.NAMES);
    }
  }

  @Test
  void noRuleHidesTheExampleOfAnother() {
    List<LogRules> all = new ArrayList<>(List.of(ALL));
    BuiltInExtractors.NAMES.forEach(name -> all.add(BuiltInExtractors.named(name).log()));
    for (LogRules rules : all) {
      for (LogFailure rule : rules.failures()) {
        assertThat(code(rules.failures(), rule.example())).isEqualTo(rule.code());
      }
      for (LogFailure rule : rules.losses()) {
        assertThat(code(rules.losses(), rule.example())).isEqualTo(rule.code());
      }
    }
  }

  @Test
  void everySentenceAboutAnExampleIsWhole() {
    Stream.concat(ALL.failures().stream(), ALL.losses().stream())
        .forEach(
            rule -> {
              Matcher matcher = rule.pattern().matcher(rule.example());
              assertThat(matcher.find()).isTrue();
              assertThat(Sentence.fill(rule.says(), matcher))
                  .as(rule.code())
                  .isNotBlank()
                  .doesNotContain("$", "{", "}", "  ", "()", ": ,")
                  .doesNotEndWith(" ")
                  .doesNotEndWith(":");
              assertThat(Sentence.fill(rule.tryNext(), matcher)).isNotBlank().doesNotContain("$1");
            });
  }

  /** {@code src/test/resources/log/lines.txt}: a code, or the word follower, and a line. */
  private static List<String[]> realLines() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/log/lines.txt")).stream()
        .map(line -> line.split("[|]", 2))
        .toList();
  }

  @Test
  void otherRealLinesAreNamedToo() throws IOException {
    for (String[] line : realLines()) {
      List<LogFailure> rules = line[0].startsWith("samples.") ? ALL.losses() : ALL.failures();
      if (line[0].equals("follower")) {
        assertThat(ALL.followers()).as(line[1]).anyMatch(rule -> finds(rule.pattern(), line[1]));
      } else {
        assertThat(code(rules, line[1])).as(line[1]).isEqualTo(line[0]);
      }
    }
  }

  /** A part of a pattern that finds no line that anybody has seen may be wrong. */
  @Test
  void everyAlternativeOfAPatternFindsARealLine() throws IOException {
    List<Pattern> patterns = new ArrayList<>();
    List<String> lines = new ArrayList<>(realLines().stream().map(line -> line[1]).toList());
    Stream.concat(ALL.failures().stream(), ALL.losses().stream())
        .forEach(
            rule -> {
              patterns.add(rule.pattern());
              lines.add(rule.example());
            });
    Stream.concat(ALL.followers().stream(), ALL.heartbeats().stream())
        .forEach(
            rule -> {
              patterns.add(rule.pattern());
              lines.add(rule.example());
            });
    for (Pattern pattern : patterns) {
      for (String alternative : alternatives(pattern.pattern())) {
        Pattern alone = Pattern.compile(alternative);
        assertThat(lines).as(alternative).anyMatch(line -> finds(alone, line));
      }
    }
  }

  private static boolean finds(Pattern pattern, String line) {
    return pattern.matcher(line).find();
  }

  /** What stands between the bars of a pattern that are in no group. */
  private static List<String> alternatives(String pattern) {
    List<String> alternatives = new ArrayList<>();
    int depth = 0;
    int from = 0;
    boolean inClass = false;
    for (int at = 0; at < pattern.length(); at++) {
      char character = pattern.charAt(at);
      if (character == '\\') {
        at++;
      } else if (inClass) {
        inClass = character != ']';
      } else if (character == '[') {
        inClass = true;
        at += pattern.startsWith("[^]", at) ? 2 : pattern.startsWith("[]", at) ? 1 : 0;
      } else if (character == '|' && depth == 0) {
        alternatives.add(pattern.substring(from, at));
        from = at + 1;
      } else {
        depth += character == '(' ? 1 : character == ')' ? -1 : 0;
      }
    }
    alternatives.add(pattern.substring(from));
    return alternatives;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INFO 08-25 12:24:19 [gpu_worker.py:298] Available KV cache memory: 8.68 GiB",
        "INFO 08-25 12:24:19 [kv_cache_utils.py:864] GPU KV cache size: 94,784 tokens",
        "INFO 08-25 12:24:19 [parallel_state.py:1208] rank 3 in world size 8 is assigned as DP rank"
            + " 0",
        "WARNING 02-09 16:17:06 [config.py:271] Enforce eager set, overriding optimization level",
        "/x/datasets/load.py:1461: FutureWarning: The repository for ai2_arc contains custom code"
            + " which must be executed to correctly load the dataset.",
        "NCCL version 2.27.3+cuda12.9",
        "Setting TOKENIZERS_PARALLELISM=false for forked processes.",
        "INFO 10-11 22:28:17 [cuda.py:371] Using Flash Attention backend on V1 engine.",
        "Killed 3 stale sessions",
        "the disk has space left on device /dev/sda1",
        "2026-02-09 16:36:04,871 - __main__ - INFO -   Saved 10 new data points to /root/out",
        "Successfully processed all 1000 conversations.",
        "Processing complete. Success: 1000, Failed: 0",
      })
  void linesThatLookNearlyLikeItNameNothing(String line) {
    assertThat(ALL.failures()).noneMatch(rule -> rule.pattern().matcher(line).find());
    assertThat(ALL.losses()).noneMatch(rule -> rule.pattern().matcher(line).find());
  }

  private static String code(List<LogFailure> rules, String line) {
    return rules.stream()
        .filter(rule -> rule.pattern().matcher(line).find())
        .map(LogFailure::code)
        .findFirst()
        .orElse("none");
  }
}
