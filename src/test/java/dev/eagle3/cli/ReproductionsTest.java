package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.cause.CauseFinder;
import dev.eagle3.demo.DemoFault;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every code in {@code docs/causes.md} can be seen in the way that the page says. */
class ReproductionsTest {
  private static final Path PAGE = Path.of("docs/causes.md");
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures").toAbsolutePath();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern TABLE_ROW = Pattern.compile("\\| `([a-z.-]+)` \\| (.*) \\|");
  private static final Pattern COMMAND = Pattern.compile("`(verify-shapes|inspect) ([^`]*)`");
  private static final Pattern DEMO = Pattern.compile("`demo --fault ([a-z.-]+)`");
  private static final Pattern TEST = Pattern.compile("test `([A-Za-z]+)\\.([A-Za-z]+)`: .*");
  private static final Pattern SECTION_COMMAND =
      Pattern.compile("`eagle3 (verify-shapes) ([^`]*)`,? in `src/test/resources/fixtures`");

  /** A fault that cannot come alone, and what comes with it. */
  private static final Map<String, Set<String>> COMPANIONS =
      Map.ofEntries(
          Map.entry("file.hostile-overlap", Set.of("file.local-header", "file.checksum")),
          Map.entry("file.storage-conflict", Set.of("mask.length")),
          Map.entry("file.encrypted", Set.of("file.local-header", "file.pickle-invalid")),
          Map.entry("file.opaque-object", Set.of("file.weights-only-refused")),
          Map.entry(
              "file.hostile-global", Set.of("file.opaque-object", "file.weights-only-refused")),
          Map.entry("file.hostile-frame", Set.of("file.weights-only-refused")),
          Map.entry("values.same-content", Set.of("law.rows-equal")),
          Map.entry("tokens.partly-explained", Set.of("tokens.count")));

  static List<String> findings() throws IOException {
    return rows().entrySet().stream()
        .filter(row -> COMMAND.matcher(row.getValue()).matches())
        .map(Map.Entry::getKey)
        .toList();
  }

  static List<String> causes() throws IOException {
    List<String> shown = new ArrayList<>();
    for (String code : CauseFinder.codes()) {
      if (SECTION_COMMAND.matcher(section(code)).find()) {
        shown.add(code);
      }
    }
    return shown;
  }

  @ParameterizedTest
  @MethodSource("findings")
  void filesShowTheFindingAndNothingElse(String code) throws IOException {
    Matcher command = COMMAND.matcher(rows().getOrDefault(code, ""));
    assertThat(command.matches()).isTrue();

    List<JsonNode> found = found(command.group(1), command.group(2));

    assertThat(found).extracting(each -> each.path("code").asString()).contains(code);
    assertThat(found)
        .filteredOn(each -> !each.path("severity").asString().equals("note"))
        .extracting(each -> each.path("code").asString())
        .allMatch(each -> each.equals(code) || isCompanion(each, code));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void filesShowTheCauseAndNoOther(String code) throws IOException {
    Matcher command = SECTION_COMMAND.matcher(section(code));
    assertThat(command.find()).isTrue();

    assertThat(events(command.group(1), command.group(2)))
        .filteredOn(event -> event.path("type").asString().equals("cause"))
        .extracting(event -> event.path("code").asString())
        .containsExactly(code);
  }

  @Test
  void everyCauseIsAFaultOfTheDemoOrShownByFiles() throws IOException {
    for (String code : CauseFinder.codes()) {
      boolean demo = section(code).contains("**See it.** `eagle3 demo --fault " + code + "`");
      assertThat(demo).as(code).isEqualTo(DemoFault.codes().contains(code));
      assertThat(demo || causes().contains(code)).as(code).isTrue();
    }
  }

  @Test
  void realSamplesShowNothing() {
    for (String good :
        List.of(
            "--deep tensors/real/kimi-shape-t17.pt",
            "--deep tiny-lm/hidden_states --model tiny-lm/model"
                + " --prepared-data tiny-lm/tokenized_data.jsonl")) {
      assertThat(events("verify-shapes", good))
          .noneMatch(event -> event.path("type").asString().equals("cause"))
          .filteredOn(event -> event.path("type").asString().equals("finding"))
          .allMatch(event -> event.path("severity").asString().equals("note"));
    }
  }

  @Test
  void everyFindingHasARowAndEveryRowAFinding() throws IOException {
    Set<String> inTables = new TreeSet<>();
    for (String line :
        Files.readString(PAGE).split("### See each finding", -1)[0].lines().toList()) {
      if (line.startsWith("| `")) {
        Matcher codes = Pattern.compile("`([a-z]+\\.[a-z-]+)`").matcher(line.split("\\|", -1)[1]);
        while (codes.find()) {
          inTables.add(codes.group(1));
        }
      }
    }

    assertThat(inTables).hasSizeGreaterThan(100);
    assertThat(new TreeSet<>(rows().keySet())).isEqualTo(inTables);
  }

  @Test
  void whatFilesCannotShowIsAFaultOfTheDemoOrATest() throws IOException {
    for (Map.Entry<String, String> row : rows().entrySet()) {
      Matcher demo = DEMO.matcher(row.getValue());
      Matcher test = TEST.matcher(row.getValue());
      if (demo.matches()) {
        assertThat(demo.group(1)).isEqualTo(row.getKey());
        assertThat(DemoFault.codes()).contains(row.getKey());
      } else if (test.matches()) {
        assertThat(sourceOf(test.group(1))).contains("void " + test.group(2) + "()");
      } else {
        assertThat(row.getValue()).as(row.getKey()).matches(COMMAND);
      }
    }
  }

  private static boolean isCompanion(String code, String of) {
    // Files that were made to be damaged need not be samples as well.
    return code.equals("file.schema-unknown")
        || COMPANIONS.getOrDefault(of, Set.of()).contains(code);
  }

  private static List<JsonNode> found(String command, String arguments) {
    return events(command, arguments).stream()
        .flatMap(
            event ->
                command.equals("inspect")
                    ? event.path("findings").valueStream()
                    : Stream.of(event)
                        .filter(each -> each.path("type").asString().equals("finding")))
        .toList();
  }

  /** The lines of {@code --json}. */
  private static List<JsonNode> events(String command, String arguments) {
    List<String> words = new ArrayList<>(List.of(command, "--json"));
    for (String word : arguments.split(" ", -1)) {
      Path fixture = FIXTURES.resolve(word);
      words.add(word.contains("/") && Files.exists(fixture) ? fixture.toString() : word);
    }
    CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isIn(0, 16);
    return run.out().lines().map(JSON::readTree).toList();
  }

  /** How each finding is shown, by its code. */
  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new LinkedHashMap<>();
    Files.readString(PAGE)
        .split("### See each finding", -1)[1]
        .lines()
        .map(TABLE_ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> rows.put(row.group(1), row.group(2)));
    return rows;
  }

  private static String section(String code) throws IOException {
    return Files.readString(PAGE)
        .split("(?m)^## " + Pattern.quote(code) + "$", -1)[1]
        .split("(?m)^## ", -1)[0];
  }

  private static String sourceOf(String test) throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
      Path source =
          sources.filter(path -> path.endsWith(test + ".java")).collect(Collectors.toList()).get(0);
      return Files.readString(source);
    }
  }
}
