package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.demo.DemoFault;
import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.ExtractorReader;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogRuleSets;
import dev.eagle3.extractor.LogRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/failures.md} to the rules for lines of logs. */
class FailuresPageTest {
  private static final Path PAGE = Path.of("docs/failures.md");

  @Test
  void everyCauseHasASectionAndEverySectionACause() throws IOException {
    Set<String> codes = new TreeSet<>(FailedRunExplainer.codes());
    rules().forEach(rule -> codes.add(rule.code()));

    assertThat(sections().keySet()).containsExactlyInAnyOrderElementsOf(codes);
  }

  @Test
  void everySectionShowsAnExampleOfEachLineAndSaysWhatToDo() throws IOException {
    Map<String, String> sections = sections();
    for (LogFailure rule : rules()) {
      assertThat(sections.get(rule.code()))
          .as(rule.code())
          .contains("\n" + rule.example() + "\n")
          .contains("**What it means.** ")
          .contains("**What to do.** ");
    }
  }

  @Test
  void theFaultsOfTheDemoAreThoseThatItHas() throws IOException {
    Map<String, String> sections = sections();
    Matcher shown = Pattern.compile("demo --fault (\\S+?)`").matcher(Files.readString(PAGE));
    while (shown.find()) {
      assertThat(DemoFault.named(shown.group(1))).as(shown.group(1)).isPresent();
    }
    for (DemoFault fault : DemoFault.values()) {
      if (sections.containsKey(fault.code())) {
        assertThat(sections.get(fault.code()))
            .contains("**See it.** `eagle3 demo --fault " + fault.word() + "`");
      }
    }
  }

  @Test
  void theExampleOfARuleOfOnesOwnCanBeRead() throws IOException {
    String page = Files.readString(PAGE);
    String example = page.substring(page.indexOf("```yaml\n") + 8);
    String built = Files.readString(Path.of("src/main/resources/extractors/speculators-0.4.yaml"));
    String head = built.substring(0, built.indexOf("  failures:\n"));
    String rest = built.substring(built.indexOf("# What a probe wraps"));
    int included = head.indexOf("  includes:");
    String text =
        (included < 0 ? head : head.substring(0, included))
            + example.substring(0, example.indexOf("```"))
            + rest;

    LogRules rules = ExtractorReader.read(text, "mine", "mine.yaml").log();

    assertThat(rules.failures().get(0).code()).isEqualTo("run.no-license");
    assertThat(rules.failures()).hasSizeGreaterThan(LogRuleSets.all().failures().size());
  }

  private static List<LogFailure> rules() {
    List<LogRules> all = new ArrayList<>(List.of(LogRuleSets.all()));
    BuiltInExtractors.NAMES.forEach(name -> all.add(BuiltInExtractors.named(name).log()));
    List<LogFailure> rules = new ArrayList<>(WrapperLines.RULES);
    for (LogRules some : all) {
      rules.addAll(some.failures());
      rules.addAll(some.losses());
    }
    return rules;
  }

  private static Map<String, String> sections() throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String section : Files.readString(PAGE).split("(?m)^### ", -1)) {
      String[] parts = section.split("\n", 2);
      if (parts[0].matches("[a-z]+\\.[a-z-]+")) {
        assertThat(sections.put(parts[0], parts[1])).as(parts[0]).isNull();
      }
    }
    return sections;
  }
}
