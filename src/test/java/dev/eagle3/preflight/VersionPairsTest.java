package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each known pair is said when all of it holds, and not when one of its conditions does not. */
class VersionPairsTest {
  /** Some of them are in each range and some are not. */
  private static final List<String> VERSIONS =
      List.of(
          "0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.5.4", "0.6.0", "0.7.0", "0.11.0",
          "0.12.0", "0.16.0", "0.18.0", "0.22.0", "4.57.0", "5.0.0");

  @TempDir Path folder;

  static Stream<String> names() {
    return VersionChecks.PAIRS.stream().map(VersionPair::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPairIsSaidWhenAllOfItHolds(String name) {
    VersionPair pair = named(name);

    assertThat(new Case(pair).judge())
        .filteredOn(line -> line.contains(pair.says()))
        .singleElement()
        .asString()
        .startsWith(pair.weight().word() + ": ");
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPairIsSilentWhenAConditionDoesNotHold(String name) {
    VersionPair pair = named(name);
    List<Case> cases = new ArrayList<>();
    pair.packages().keySet().stream()
        .filter(other -> pair.sources().stream().noneMatch(source -> source.isOf(other)))
        .forEach(other -> cases.add(new Case(pair).installed(other, version(pair, other, false))));
    if (!pair.sources().isEmpty()) {
      cases.add(new Case(pair).found("0"));
    }
    pair.imports().ifPresent(module -> cases.add(new Case(pair).importing("argparse")));
    pair.script().ifPresent(part -> cases.add(new Case(pair).script("/opt/other.py")));
    pair.without().ifPresent(flag -> cases.add(new Case(pair).giving(flag)));
    if (!pair.models().isEmpty()) {
      cases.add(new Case(pair).model("llama llama"));
    }
    if (!pair.when().isEmpty()) {
      cases.add(new Case(pair).asked(false));
    }

    assertThat(cases).isNotEmpty();
    for (Case one : cases) {
      assertThat(one.judge())
          .filteredOn(line -> line.contains(pair.says()))
          .allMatch(line -> line.contains("is a patched copy without it"));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatInstalledFilesDoNotShowIsNoRefusal(String name) {
    VersionPair pair = named(name);
    if (!pair.sources().isEmpty()) {
      boolean ofScript = pair.sources().stream().anyMatch(VersionPair.Source::isScript);
      assertThat(new Case(pair).found("").judge())
          .noneMatch(line -> line.startsWith("refused: "))
          .filteredOn(line -> line.contains(pair.says()))
          .hasSize(ofScript ? 0 : 1);
    }
  }

  /**
   * A build on the way to a version may have what the version lacks, and a script may do without.
   */
  @ParameterizedTest
  @MethodSource("names")
  void whatInstalledModulesDoNotShowIsNoRefusal(String name) {
    VersionPair pair = named(name);
    if (pair.weight() == Judgement.Verdict.REFUSED && pair.sources().isEmpty()) {
      assertThat(pair.imports()).isPresent();
      assertThat(new Case(pair).imported("found\talways").judge())
          .noneMatch(line -> line.contains(pair.says()));
      assertThat(new Case(pair).imported("missing\tmaybe").judge())
          .filteredOn(line -> line.contains(pair.says()))
          .singleElement()
          .asString()
          .startsWith("warning: ");
    }
  }

  @Test
  void eachHasAReportOrSaysThatThereIsNone() {
    assertThat(VersionChecks.PAIRS)
        .hasSizeGreaterThan(30)
        .allSatisfy(
            pair ->
                pair.report()
                    .ifPresent(
                        address ->
                            assertThat(address)
                                .matches(
                                    "https://github\\.com/[\\w.-]+/[\\w.-]+/(issues|pull)/\\d+")));
    assertThat(VersionChecks.PAIRS).extracting(VersionPair::name).doesNotHaveDuplicates();
  }

  /** In the interpreter's own words, since it is the one that looks. */
  @Test
  void eachPatternFindsItsExample() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ReadyHost.python().toString(),
                "-c",
                "import re, sys\n"
                    + "for pattern, text in zip(sys.argv[1::2], sys.argv[2::2]):\n"
                    + "    found = re.search(pattern, text, re.S | re.M)\n"
                    + "    if not (found and found.group('at')): print(pattern)\n"));
    for (VersionPair pair : VersionChecks.PAIRS) {
      for (VersionPair.Source source : pair.sources()) {
        command.add(source.pattern());
        command.add(source.example());
      }
    }
    assertThat(printed(command)).isEmpty();
  }

  private String printed(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return java.nio.file.Files.readString(out);
  }

  private static VersionPair named(String name) {
    return VersionChecks.PAIRS.stream()
        .filter(pair -> pair.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String version(VersionPair pair, String name, boolean inside) {
    VersionRange range = pair.packages().get(name);
    return VERSIONS.stream()
        .filter(version -> range != null && range.includes(version).orElseThrow() == inside)
        .findFirst()
        .orElseThrow();
  }

  /** A host on which a pair holds, of which one thing is then changed. */
  private static final class Case {
    private final VersionPair pair;
    private final Map<String, String> packages = new TreeMap<>();
    private String module;
    private String script;
    private String model;
    private String given = "";
    private String line = "7";
    private boolean asked = true;
    private String imported;

    Case(VersionPair pair) {
      this.pair = pair;
      pair.packages().keySet().forEach(name -> packages.put(name, version(pair, name, true)));
      module = pair.imports().orElse("argparse");
      script = "/opt/" + pair.script().orElse("extract") + ".py";
      model = pair.models().isEmpty() ? "-" : pair.models().get(0) + " other";
      boolean isGone = pair.sources().isEmpty() && pair.weight() == Judgement.Verdict.REFUSED;
      imported = isGone ? "missing\talways" : "found\talways";
    }

    /** Whether the module is there, and whether the script imports it whatever happens. */
    Case imported(String state) {
      imported = state;
      return this;
    }

    Case installed(String name, String version) {
      packages.put(name, version);
      return this;
    }

    Case importing(String name) {
      module = name;
      return this;
    }

    Case script(String path) {
      script = path;
      return this;
    }

    Case model(String types) {
      model = types;
      return this;
    }

    Case giving(String flag) {
      given = flag.substring(2);
      return this;
    }

    /** The line in which its sources are found; empty when they are not there. */
    Case found(String number) {
      line = number;
      return this;
    }

    Case asked(boolean whetherAsked) {
      asked = whetherAsked;
      return this;
    }

    List<String> judge() {
      Situations situation =
          Situations.of()
              .flag("script", script)
              .flag("batch-size", asked ? "2" : "1")
              .flag("max-seq-len", asked ? "131072" : "2048")
              .flag("previous-output", asked ? "keep" : "set-aside")
              .flag("layers", "2", "30", "58", asked ? "61" : "60")
              .files("import\t" + module + "\t1\t" + imported, "config\t1\t64\t8\t" + model);
      if (!asked) {
        situation.flag("env", "VLLM_WORKER_MULTIPROC_METHOD=spawn");
      }
      if (!given.isEmpty()) {
        situation.flag("args", "--" + given, "1");
      }
      packages.forEach(
          (name, version) -> situation.files("package\t" + name + "\t" + version + "\t/site"));
      for (int at = 0; at < pair.sources().size() && !line.isEmpty(); at++) {
        situation.files("source\t" + pair.sourceId(at) + "\t/site/x.py\t" + line + "\ttext");
      }
      return situation.judge("version-pairs");
    }
  }
}
