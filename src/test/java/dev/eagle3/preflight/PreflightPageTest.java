package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/preflight.md} to the checks. */
class PreflightPageTest {
  private static final Path PAGE = Path.of("docs/preflight.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|(.*)\\|$");
  private static final Pattern PAIR =
      Pattern.compile(
          "(?m)^\\| `([a-z0-9-]+)` \\| (.+) \\| (?:\\[[\\w .-]+\\])?(-|\\(\\S+\\)) \\|$");

  @Test
  void thePageHasOneRowForEachCheckInTheirOrder() throws IOException {
    List<String> rows = new ArrayList<>();
    String page = Files.readString(PAGE);
    Matcher row = ROW.matcher(page.substring(0, page.indexOf("## Versions")));
    while (row.find()) {
      rows.add(row.group(1));
      assertThat(row.group(2).split("\\|", -1))
          .as("%s: looks at, refuses, prevents, report", row.group(1))
          .hasSize(4)
          .allSatisfy(cell -> assertThat(cell).isNotBlank());
    }

    assertThat(rows).doesNotHaveDuplicates().containsExactlyElementsOf(Preflight.names());
  }

  @Test
  void thePageHasOneRowForEachPairWithItsReport() throws IOException {
    String page = Files.readString(PAGE);
    List<String> rows = new ArrayList<>();
    Matcher row = PAIR.matcher(page.substring(page.indexOf("| name | pair |")));
    while (row.find()) {
      rows.add(row.group(1));
      VersionPair pair =
          VersionChecks.PAIRS.stream()
              .filter(known -> known.name().equals(row.group(1)))
              .findFirst()
              .orElseThrow(() -> new AssertionError(row.group()));
      assertThat(row.group(3)).isEqualTo(pair.report().map(at -> "(" + at + ")").orElse("-"));
    }

    assertThat(rows)
        .containsExactlyElementsOf(VersionChecks.PAIRS.stream().map(VersionPair::name).toList());
  }
}
