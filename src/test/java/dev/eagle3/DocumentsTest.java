package dev.eagle3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the pages that users read to the code. */
class DocumentsTest {
  private static final Path DOCS = Path.of("docs");

  @Test
  void thePageOfExitCodesHoldsTheTableOfTheCode() {
    List<List<String>> rows =
        MarkdownTable.rows(MarkdownTable.lines(DOCS.resolve("exit-codes.md")), "code", "meaning");
    assertThat(rows)
        .containsExactlyElementsOf(
            Arrays.stream(Exit.values())
                .map(exit -> List.of(Integer.toString(exit.code()), exit.meaning()))
                .toList());
  }

  @Test
  void thePageOfExitCodesSaysWhichCodeComesFirst() throws IOException {
    Matcher sentence =
        Pattern.compile("the first of ([0-9, ]+)")
            .matcher(Files.readString(DOCS.resolve("exit-codes.md")));
    assertThat(sentence.find()).isTrue();
    List<Exit> order =
        Arrays.stream(sentence.group(1).split(","))
            .map(String::strip)
            .map(DocumentsTest::exitWithCode)
            .toList();
    assertThat(order).hasSize(Exit.values().length - 1).doesNotContain(Exit.DONE);
    for (int earlier = 0; earlier < order.size(); earlier++) {
      for (Exit later : order.subList(earlier, order.size())) {
        assertThat(Exit.first(List.of(later, order.get(earlier)))).isEqualTo(order.get(earlier));
      }
    }
  }

  @Test
  void thePageOfTheHostHasOneRowForEachScript() throws IOException {
    List<String> documented =
        MarkdownTable.rows(MarkdownTable.lines(DOCS.resolve("host.md")), "script", "does").stream()
            .map(row -> MarkdownTable.code(row.get(0)))
            .toList();
    try (Stream<Path> scripts = Files.list(Path.of("src", "main", "resources", "host"))) {
      assertThat(documented)
          .as("docs/host.md has one row for each script of resources/host: add or remove a row")
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(
              scripts
                  .map(script -> script.getFileName().toString().replaceFirst("\\.sh$", ""))
                  .toList());
    }
  }

  @Test
  void everyRowOfThePageOfTheHostSaysWhatTheScriptDoesAndChanges() {
    assertThat(MarkdownTable.rows(MarkdownTable.lines(DOCS.resolve("host.md")), "script", "does"))
        .allSatisfy(
            row -> {
              assertThat(row).as("script, does, changes, guard").hasSize(4);
              assertThat(row).allSatisfy(cell -> assertThat(cell).isNotBlank());
            });
  }

  static Stream<Class<?>> events() {
    return Arrays.stream(Event.class.getPermittedSubclasses());
  }

  @Test
  void thePageOfJsonHasNoTypeThatIsNotThere() {
    assertThat(JsonPage.types())
        .containsExactlyInAnyOrderElementsOf(events().map(JsonPage::typeWord).toList());
  }

  @ParameterizedTest
  @MethodSource("events")
  void thePageOfJsonListsTheFieldsOfEveryType(Class<?> event) {
    assertThat(JsonPage.fields(JsonPage.typeWord(event)))
        .containsExactlyElementsOf(JsonPage.components(event));
  }

  @ParameterizedTest
  @MethodSource("events")
  void thePageOfJsonShowsALineOfEveryType(Class<?> event) {
    String type = JsonPage.typeWord(event);
    List<String> fields = JsonPage.namesInExample(type);
    assertThat(fields).startsWith("v", "type", "time");
    assertThat(fields.subList(3, fields.size()))
        .containsExactlyElementsOf(JsonPage.components(event));
  }

  @Test
  void everyScriptThatAPageNamesIsThere() throws IOException {
    Pattern script = Pattern.compile("(?:^|[\\s`(/])(scripts/[a-z0-9-]+|\\.ci/[a-z]+)");
    for (Path page : pages()) {
      script
          .matcher(Files.readString(page))
          .results()
          .map(found -> Path.of(found.group(1)))
          .forEach(path -> assertThat(path).as("named in %s", page).isExecutable());
    }
  }

  @Test
  void everyLinkBetweenPagesLeadsSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
    for (Path page : pages()) {
      link.matcher(Files.readString(page))
          .results()
          .map(found -> page.resolveSibling(found.group(1)))
          .forEach(path -> assertThat(path).as("linked from %s", page).exists());
    }
  }

  @Test
  void everyDependencyHasItsReason() throws IOException {
    String reasons = Files.readString(DOCS.resolve("architecture.md"));
    String pom = Files.readString(Path.of("pom.xml"));
    String dependencies =
        pom.substring(pom.indexOf("</dependencyManagement>"), pom.indexOf("<build>"));
    assertThat(Pattern.compile("<artifactId>([^<]+)</artifactId>").matcher(dependencies).results())
        .isNotEmpty()
        .allSatisfy(artifact -> assertThat(reasons).contains("`" + artifact.group(1) + "`"));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(DOCS)) {
      return Stream.concat(
              Stream.of(Path.of("README.md"), Path.of(".github", "CONTRIBUTING.md")),
              docs.filter(page -> page.toString().endsWith(".md")))
          .toList();
    }
  }

  private static Exit exitWithCode(String code) {
    return Arrays.stream(Exit.values())
        .filter(exit -> Integer.toString(exit.code()).equals(code))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no exit code " + code));
  }
}
