package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProfileResolverTest {
  @Test
  void theFlagWinsThenTheEnvironmentThenTheProfileThenTheBuiltInOne() {
    Profile profile =
        resolve(
            Map.of("batch-size", List.of("4"), "tp-size", List.of("2")),
            Map.of("EAGLE3_HOST", "from-environment"),
            "host: from-profile\nbatch-size: 3\nmax-seq-len: 100");

    assertThat(profile.host()).contains("from-environment");
    assertThat(profile.batchSize()).isEqualTo(4);
    assertThat(profile.maxSeqLen()).isEqualTo(100);
    assertThat(profile.layers()).containsExactly(2, 30, 58, 60);
    assertThat(resolve(Map.of("host", List.of("from-flag")), Map.of("EAGLE3_HOST", "e"), "").host())
        .contains("from-flag");
    assertThat(resolve(Map.of(), Map.of(), "host: from-profile").host()).contains("from-profile");
    assertThat(resolve(Map.of(), Map.of(), "").host()).isEmpty();
  }

  @Test
  void everyValueKnowsWhereItCameFrom() {
    Profile profile =
        resolve(
            Map.of("tp-size", List.of("8"), "args", List.of("-x")),
            Map.of("EAGLE3_HOST", "gpu7"),
            "# mine\nbatch-size: 3");

    assertThat(profile.origins())
        .containsEntry("tp-size", "--tp-size")
        .containsEntry("args", "arguments after --")
        .containsEntry("host", "EAGLE3_HOST")
        .containsEntry("batch-size", "my.yaml:2")
        .doesNotContainKey("state-dir");
    assertThat(profile.origins().get("layers")).startsWith("kimi-k2.5 (built in):");
  }

  @Test
  void nullHidesTheWeakerValue() {
    Profile profile = resolve(Map.of(), Map.of(), "cuda-home: null\ngpu-memory-utilization: ~");

    assertThat(profile.cudaHome()).isEmpty();
    assertThat(profile.gpuMemoryUtilization()).isEmpty();
  }

  @Test
  void aNumberThatIsGivenToTheScriptStaysAsItWasWritten() {
    assertThat(resolve(Map.of(), Map.of(), "").gpuMemoryUtilization()).contains("0.80");
    assertThat(
            resolve(Map.of("gpu-memory-utilization", List.of(".900")), Map.of(), "")
                .gpuMemoryUtilization())
        .contains(".900");
  }

  @Test
  void variablesAndFlagsArePutTogetherByNameAndArgumentsOneAfterAnother() {
    ProfileLayer weak =
        ProfileReader.read("env: {A: 1, B: 1}\nflags: {x: 1, y: 1}\nargs: [a]", "weak.yaml");
    ProfileLayer strong =
        ProfileReader.read("env: [B=2, C]\nflags: {y: null, z: []}\nargs: [b]", "strong.yaml");

    Profile profile =
        ProfileResolver.resolve(List.of(strong, weak, BuiltInProfiles.named("kimi-k2.5")));

    assertThat(profile.env())
        .containsExactly(
            Map.entry("A", Optional.of("1")),
            Map.entry("B", Optional.of("2")),
            Map.entry("C", Optional.empty()));
    assertThat(profile.flags())
        .containsExactly(
            Map.entry("--x", new FlagOverride.Words(List.of("1"))),
            Map.entry("--y", new FlagOverride.Dropped()),
            Map.entry("--z", new FlagOverride.Words(List.of())));
    assertThat(profile.args()).containsExactly("a", "b");
  }

  @Test
  void nullHidesVariablesOfWeakerLayers() {
    ProfileLayer weak = ProfileReader.read("env: {A: 1}", "weak.yaml");
    ProfileLayer middle = ProfileReader.read("env: null", "middle.yaml");
    ProfileLayer strong = ProfileReader.read("env: {B: 1}", "strong.yaml");

    assertThat(
            ProfileResolver.resolve(
                    List.of(strong, middle, weak, BuiltInProfiles.named("kimi-k2.5")))
                .env())
        .containsOnlyKeys("B");
  }

  @Test
  void slashesAtTheEndOfPathsAreTakenOff() {
    Profile profile = resolve(Map.of(), Map.of(), "output-dir: /data/out//\nmodel-path: /");

    assertThat(profile.outputDir()).isEqualTo("/data/out");
    assertThat(profile.modelPath()).isEqualTo("/");
  }

  @Test
  void theProblemsOfAllLayersComeTogether() {
    Failures failures =
        failures(Map.of("tp-size", List.of("0")), Map.of(), "layers: null\nbatch-size: x\nhots: a");

    assertThat(failures.failures())
        .extracting(Failure::getMessage)
        .containsExactlyInAnyOrder(
            "--tp-size: must be a whole number of 1 or more, not 0",
            "my.yaml:1: layers: is missing",
            "my.yaml:2: batch-size: must be a whole number of 1 or more, not x",
            "my.yaml:3: hots: unknown key; did you mean host?");
    assertThat(failures.exit()).isEqualTo(Exit.USAGE);
  }

  @Test
  void aProfileWithThreeMistakesHasThreeMessagesAndItsExitCode() {
    Failures failures = failures(Map.of(), Map.of(), "tp-size: 0\nscript: x\nfoo: 1");

    assertThat(failures.failures()).hasSize(3);
    assertThat(failures.exit()).isEqualTo(Exit.PROFILE);
  }

  @Test
  void ofVeryManyProblemsTheFirstHundredAreNamed() {
    Failures failures = failures(Map.of(), Map.of(), "foo: 1\n".repeat(500));

    assertThat(failures.failures()).hasSize(101);
    assertThat(failures.failures().get(100)).hasMessage("profile: has 400 more problems");
  }

  @Test
  void aMistakeInAProfileIsNamedEvenWhereAFlagIsStronger() {
    assertThat(failures(Map.of("tp-size", List.of("8")), Map.of(), "tp-size: x").failures())
        .hasSize(1);
  }

  @Test
  void fewerGpusThanTpSizeAreRefused() {
    assertThat(failures(Map.of("gpus", List.of("0,1")), Map.of(), "").failures())
        .extracting(Failure::getMessage)
        .containsExactly("--gpus: names 2 GPUs, fewer than tp-size 8");
    assertThat(
            resolve(Map.of("gpus", List.of("4,5"), "tp-size", List.of("2")), Map.of(), "").gpus())
        .containsExactly(4, 5);
  }

  @Test
  void aLogInPlaceOfWhatTheJobNeedsIsRefused() {
    assertThat(failures(Map.of(), Map.of(), "script: /a/x.py\nlog-file: /a/x.py").failures())
        .extracting(Failure::getMessage)
        .containsExactly("my.yaml:2: log-file: is the script of the job, or lies in it");
    assertThat(failures(Map.of(), Map.of(), "model-path: /m\nlog-file: /m/log").failures())
        .extracting(Failure::getMessage)
        .containsExactly("my.yaml:2: log-file: is the model-path of the job, or lies in it");
  }

  @Test
  void aLogInTheOutputFolderIsRefused() {
    assertThat(failures(Map.of(), Map.of(), "output-dir: /a\nlog-file: /a/log").failures())
        .extracting(Failure::getMessage)
        .containsExactly(
            "my.yaml:2: log-file: lies in output-dir, which is set aside before a run");
    assertThat(resolve(Map.of(), Map.of(), "output-dir: /a\nlog-file: /ab").logFile())
        .isEqualTo("/ab");
  }

  @Test
  void withoutABuiltInProfileEverythingNeededIsNamed() {
    Failures failures =
        catchThrowableOfType(
            Failures.class,
            () -> ProfileResolver.resolve(List.of(ProfileReader.read("", "my.yaml"))));

    assertThat(failures.failures()).hasSameSizeAs(ProfileKey.REQUIRED);
    assertThat(failures.failures().get(0)).hasMessage("profile: extractor: is missing");
  }

  @Test
  void theBuiltInProfilesAreThoseOfTheFolderAndGood() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("config"))) {
      assertThat(BuiltInProfiles.NAMES)
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> file.getFileName().toString().replace(".yaml", "")).toList());
    }
    for (String name : BuiltInProfiles.NAMES) {
      assertThat(BuiltInProfiles.named(name).problems()).isEmpty();
    }
    assertThat(
            catchThrowableOfType(Failure.class, () -> BuiltInProfiles.named("kimi-k25")).problem())
        .contains("did you mean kimi-k2.5?");
  }

  private static Profile resolve(
      Map<String, List<String>> flags, Map<String, String> environment, String yaml) {
    return ProfileResolver.resolve(
        List.of(
            FlagReader.read(flags),
            FlagReader.environment(environment),
            ProfileReader.read(yaml, "my.yaml"),
            BuiltInProfiles.named(BuiltInProfiles.DEFAULT)));
  }

  private static Failures failures(
      Map<String, List<String>> flags, Map<String, String> environment, String yaml) {
    return catchThrowableOfType(Failures.class, () -> resolve(flags, environment, yaml));
  }
}
