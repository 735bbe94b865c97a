package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check passes on an answer that is as it should be, and says what is wrong with another. */
class EveryCheckTest {
  private static final Path RECORDED = Path.of("src/test/resources/preflight/checks.txt");
  private static final Set<String> PASSES = Set.of("ok", "silent");

  private static final String GPU_HEAD =
      "gpu-csv\tindex, name, driver_version, memory.total [MiB], memory.used [MiB], compute_cap,"
          + " compute_mode, ecc.errors.uncorrected.volatile.total, persistence_mode, fabric.state,"
          + " fabric.status, remapped_rows.pending, remapped_rows.failure";
  private static final String GPU =
      ", NVIDIA H200, 580.159.04, 143771 MiB, 0 MiB, 9.0, Default, 0, Enabled, N/A, N/A, No, No";

  /** An answer, and what a check says of it. */
  private record Recorded(String check, String verdict, List<String> lines) {
    @Override
    public String toString() {
      return check + " " + verdict + ": " + lines.get(lines.size() - 1);
    }
  }

  static Stream<Recorded> recorded() throws IOException {
    List<Recorded> all = new ArrayList<>();
    for (String section : Files.readString(RECORDED).split("(?m)^== ", -1)) {
      List<String> lines = section.lines().filter(line -> !line.isBlank()).toList();
      if (!lines.isEmpty()) {
        String[] head = lines.get(0).split(" ", -1);
        all.add(new Recorded(head[0], head[1], lines));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void anAnswerIsJudged(Recorded recorded) {
    Situations situation = Situations.of();
    String wanted = "";
    for (String line : recorded.lines().subList(1, recorded.lines().size())) {
      String[] word = line.split(" ", 2);
      String fields = word[1].replace(" | ", "\t");
      switch (word[0]) {
        case "first" -> situation.machineFirst(fields);
        case "machine" -> situation.machine(fields);
        case "files" -> situation.files(fields);
        case "model" -> situation.withoutModel();
        case "extractor" -> extractor(situation, word[1]);
        case "flag" -> flag(situation, word[1]);
        case "setup" -> situation.flag("setup", word[1]);
        case "gpus" -> gpus(situation, word[1]);
        case "says" -> wanted = word[1];
        default -> throw new AssertionError(line);
      }
    }

    List<String> said = situation.judge(recorded.check());

    if (recorded.verdict().equals("silent")) {
      assertThat(said).isEmpty();
    } else {
      String says = wanted;
      assertThat(said)
          .anySatisfy(
              line -> assertThat(line).startsWith(recorded.verdict() + ": ").contains(says));
    }
  }

  private static void extractor(Situations situation, String name) {
    if (name.equals("none")) {
      situation.withoutExtractor();
    } else {
      situation.extractor(name);
    }
  }

  private static void flag(Situations situation, String words) {
    List<String> all = List.of(words.split(" ", -1));
    situation.flag(all.get(0), all.subList(1, all.size()).toArray(String[]::new));
  }

  /** So many of them, each as it was printed, or with one thing put for another. */
  private static void gpus(Situations situation, String words) {
    String[] count = words.split(" ", 2);
    String line = GPU;
    if (count.length > 1) {
      String[] change = count[1].split(" -> ", 2);
      assertThat(line).contains(change[0]);
      line = line.replace(change[0], change[1]);
    }
    situation.machine(GPU_HEAD);
    for (int index = 0; index < Integer.parseInt(count[0]); index++) {
      situation.machine("gpu-csv\t" + index + line);
    }
  }

  @Test
  void eachCheckHasAnAnswerThatPassesAndOneThatDoesNot() throws IOException {
    List<Recorded> all = recorded().toList();

    assertThat(names(all.stream().filter(one -> PASSES.contains(one.verdict()))))
        .containsExactlyInAnyOrderElementsOf(Preflight.names());
    assertThat(names(all.stream().filter(one -> !PASSES.contains(one.verdict()))))
        .containsExactlyInAnyOrderElementsOf(Preflight.names());
  }

  private static Set<String> names(Stream<Recorded> some) {
    return some.map(Recorded::check).collect(Collectors.toSet());
  }
}
