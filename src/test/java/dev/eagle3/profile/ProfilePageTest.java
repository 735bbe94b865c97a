package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/profile.md} to the keys of the code and to the built-in profile. */
class ProfilePageTest {
  private final List<List<String>> rows = rows();

  @Test
  void thePageHasARowForEveryKeyInTheSameOrder() {
    assertThat(rows.stream().map(row -> row.get(0))).isEqualTo(ProfileKey.names());
  }

  @Test
  void everyRowSaysTypeDefaultExampleAndMeaning() {
    assertThat(rows).allSatisfy(row -> assertThat(row).hasSize(5).noneMatch(String::isBlank));
    for (ProfileKey<?> key : ProfileKey.ALL) {
      assertThat(row(key.name()).get(1)).as(key.name()).isEqualTo(key.type());
    }
  }

  @Test
  void theDefaultsAreThoseOfTheBuiltInProfile() throws IOException {
    ProfileLayer builtIn = BuiltInProfiles.named(BuiltInProfiles.DEFAULT);
    List<String> lines = Files.readAllLines(Path.of("config/kimi-k2.5.yaml"));
    for (ProfileKey<?> key : ProfileKey.ALL) {
      if (builtIn.get(key).isPresent()) {
        assertThat(lines).contains(key.name() + ": " + row(key.name()).get(2));
      } else {
        assertThat(row(key.name()).get(2)).as(key.name()).matches("none|the first .*|\\$HOME.*");
      }
    }
  }

  @Test
  void everyExampleIsGood() {
    for (List<String> row : rows) {
      String yaml = row.get(0) + ": " + row.get(3);
      assertThat(ProfileReader.read(yaml, "example").problems()).as(yaml).isEmpty();
    }
  }

  private List<String> row(String key) {
    return rows.stream().filter(row -> row.get(0).equals(key)).findFirst().orElseThrow();
  }

  private static List<List<String>> rows() {
    try (Stream<String> lines = Files.lines(Path.of("docs/profile.md"))) {
      return lines
          .dropWhile(line -> !line.equals("## Keys"))
          .filter(line -> line.startsWith("| `"))
          .map(line -> Arrays.asList(line.substring(2, line.length() - 2).split(" \\| ", -1)))
          .map(cells -> cells.stream().map(cell -> cell.replace("`", "")).toList())
          .toList();
    } catch (IOException unreadable) {
      throw new AssertionError("docs/profile.md", unreadable);
    }
  }
}
