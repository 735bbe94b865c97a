package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/causes.md} to the codes that stand in the sources. */
class CausesPageTest {
  private static final Path PAGE = Path.of("docs/causes.md");
  private static final Path SOURCES = Path.of("src/main/java/dev/eagle3");
  private static final List<String> PACKAGES = List.of("expect", "tensor", "verify", "cause");
  private static final String CODE =
      "((?:law|layers|tokens|mask|dtype|keys|set|model|samples|sidecar|file|values)"
          + "\\.[a-z][a-z-]*[a-z])";

  @Test
  void everyCauseHasASectionAndEverySectionACause() throws IOException {
    Set<String> sections = find("(?m)^## " + CODE + "$", Files.readString(PAGE));

    assertThat(sections).containsExactlyInAnyOrderElementsOf(CauseFinder.codes());
  }

  @Test
  void everySectionSaysWhatUsersNeed() throws IOException {
    for (String code : CauseFinder.codes()) {
      String section = Files.readString(PAGE).split("(?m)^## " + Pattern.quote(code) + "$", -1)[1];
      assertThat(section.split("(?m)^## ", -1)[0])
          .contains("**What it looks like.**")
          .contains("**How it is recognised.**")
          .contains("**Why it happens.**")
          .contains("**What to do.**")
          .containsAnyOf("eagle3 demo --fault " + code, "`src/test/resources/fixtures`");
    }
  }

  @Test
  void everyCodeOfAFindingStandsInTheTablesAndNoOther() throws IOException {
    Set<String> inSources = new TreeSet<>();
    for (String name : PACKAGES) {
      try (Stream<Path> files = Files.walk(SOURCES.resolve(name))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          inSources.addAll(find("\"" + CODE + "\"", Files.readString(file)));
        }
      }
    }
    inSources.removeAll(CauseFinder.codes());
    inSources.remove("samples.idx"); // the name of a file
    Set<String> rows = new TreeSet<>();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("| `")) {
        rows.addAll(find("`" + CODE + "`", line.split("\\|", -1)[1]));
      }
    }

    assertThat(inSources).hasSizeGreaterThan(20).contains("layers.count", "set.empty");
    assertThat(rows).isEqualTo(inSources);
  }

  private static Set<String> find(String pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
