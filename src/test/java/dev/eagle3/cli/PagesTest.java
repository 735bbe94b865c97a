package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands that the pages show are commands that there are. */
class PagesTest {
  private static final Pattern IN_BACKTICKS = Pattern.compile("`eagle3 ([a-z][^`]*)`");
  private static final Pattern IN_MESSAGE =
      Pattern.compile("(?:\"|try: .*)eagle3 ([a-z][a-z-]+)(?=[ \"])");
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandLineOfAPageParses(Path page) throws IOException {
    boolean fenced = false;
    for (String line : Files.readString(page).lines().toList()) {
      fenced ^= line.startsWith("```");
      String command = line.strip();
      if (command.startsWith("$ ")) {
        command = command.substring(2);
      }
      if (!fenced || !(line.startsWith("$ scripts/eagle3 ") || line.startsWith("eagle3 "))) {
        continue;
      }
      if (command.contains("...") || command.startsWith("eagle3: ")) {
        continue;
      }
      String[] words =
          command
              .substring(command.indexOf("eagle3 ") + 7)
              .split("#", -1)[0]
              .strip()
              .split("\\s+", -1);
      assertThat(commandLine().parseArgs(words).hasSubcommand()).as("%s: %s", page, line).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandAndFlagThatAPageNamesIsThere(Path page) throws IOException {
    Map<String, CommandLine> commands = commandLine().getSubcommands();
    Matcher named = IN_BACKTICKS.matcher(Files.readString(page).replace("\\|", "|"));
    while (named.find()) {
      String[] words = named.group(1).split("\\s+", -1);
      if (words[0].equals("COMMAND")) {
        continue;
      }
      assertThat(commands).as("%s: eagle3 %s", page, named.group(1)).containsKey(words[0]);
      Matcher flags = FLAG.matcher(named.group(1));
      while (flags.find()) {
        assertThat(Objects.requireNonNull(commands.get(words[0])).getCommandSpec().optionsMap())
            .as("%s: eagle3 %s", page, named.group(1))
            .containsKey(flags.group());
      }
    }
  }

  @Test
  void everyCommandThatAMessageNamesIsThere() throws IOException {
    Map<String, CommandLine> commands = commandLine().getSubcommands();
    List<Path> sources;
    try (Stream<Path> walk = Files.walk(Path.of("src/main"))) {
      sources = walk.filter(path -> path.toString().matches(".*\\.(java|yaml)")).toList();
    }
    for (Path source : sources) {
      Matcher named = IN_MESSAGE.matcher(Files.readString(source));
      while (named.find()) {
        assertThat(commands).as("%s: %s", source, named.group()).containsKey(named.group(1));
      }
    }
  }

  @Test
  void theReadmeNamesEveryCommand() throws IOException {
    Set<String> commands = new TreeSet<>(commandLine().getSubcommands().keySet());
    commands.remove("help");
    String readme = Files.readString(Path.of("README.md"));

    assertThat(commands).allSatisfy(command -> assertThat(readme).contains("`eagle3 " + command));
  }

  static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(Path.of("docs"))) {
      return Stream.concat(Stream.of(Path.of("README.md")), docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private static CommandLine commandLine() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return new Eagle3(
            new Surroundings(
                new ByteArrayInputStream(new byte[0]),
                nowhere,
                nowhere,
                Map.of(),
                Path.of("/nonexistent"),
                new Surroundings.Terminal(false, false, false, 80),
                ask -> Optional.empty(),
                Clock.systemUTC(),
                () -> 0))
        .commandLine();
  }
}
