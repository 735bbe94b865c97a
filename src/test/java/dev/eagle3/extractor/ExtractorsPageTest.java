package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/extractors.md} to the extractors and their keys. */
class ExtractorsPageTest {
  private static final Path PAGE = Path.of("docs/extractors.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9.-]+)` \\| (.+) \\|$");

  @Test
  void thePageSaysWhatEachBuiltInOneCoversAndWhatEachKeyIs() throws IOException {
    List<String> names = new ArrayList<>(BuiltInExtractors.NAMES);
    names.addAll(ExtractorReader.KEYS);
    List<String> found = new ArrayList<>();
    String page = Files.readString(PAGE);
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      found.add(row.group(1));
      if (BuiltInExtractors.NAMES.contains(row.group(1))) {
        assertThat(row.group(2))
            .contains("`" + BuiltInExtractors.named(row.group(1)).outputs().layout() + "`");
      }
    }

    assertThat(found).containsExactlyElementsOf(names);
    assertThat(page).contains(LogRulesReader.KEYS);
  }
}
