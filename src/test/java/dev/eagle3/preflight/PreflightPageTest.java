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
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|(.*)\\|$");

  @Test
  void thePageHasOneRowForEachCheckInTheirOrder() throws IOException {
    List<String> rows = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("docs/preflight.md")));
    while (row.find()) {
      rows.add(row.group(1));
      assertThat(row.group(2).split("\\|", -1))
          .as("%s: looks at, refuses, prevents, report", row.group(1))
          .hasSize(4)
          .allSatisfy(cell -> assertThat(cell).isNotBlank());
    }

    assertThat(rows).doesNotHaveDuplicates().containsExactlyElementsOf(Preflight.names());
  }
}
