package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real interpreter that looks at packages as pip installs them, which nothing may import. */
class InstalledPackagesTest {
  /** What speculators 0.3.0 does with the reply of a worker. */
  private static final String GENERATOR =
      """
      raise SystemExit("a package was imported")


      class VllmHiddenStatesGenerator:
          def generate(self):
              reply = self.executor.collective_rpc(
                  "_get_captured_states",
                  unique_reply_rank=0,
              )
              layers = reply[0]
      """;

  private static final String PATCHED = GENERATOR.replace("reply[0]", "reply");

  /** The end of collective_rpc of vLLM since 0.12. */
  private static final String EXECUTOR =
      """
      raise SystemExit("a package was imported")


      def get_reply():
          replies = []
          return replies[0] if output_rank is not None else replies
      """;

  @TempDir Path folder;

  private ReadyHost host;
  private Site site;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder.resolve("host"));
    site = Site.in(folder.resolve("site"));
    host.set("env", "PYTHONPATH=" + site.folder());
    Path script = host.files.script();
    Files.writeString(
        script,
        "from speculators.data_generation.vllm_hidden_states_generator import (\n"
            + "    VllmHiddenStatesGenerator,\n)\n"
            + Files.readString(script));
  }

  @Test
  void theStoryIsRefusedWithFileAndLine() throws IOException {
    speculators("0.3.0", GENERATOR);
    vllm("0.16.0", EXECUTOR);

    Failure failure = host.check().orElseThrow();

    assertThat(failure.problem())
        .isEqualTo(
            site.folder()
                + "/speculators/data_generation/vllm_hidden_states_generator.py:10 takes [0] of the"
                + " reply of collective_rpc(..., unique_reply_rank=...); vLLM 0.16.0 already"
                + " returns that rank's reply (multiproc_executor.py:6): each token row of the"
                + " first layer would be saved as if it were a layer"
                + " (https://github.com/vllm-project/speculators/pull/225)");
    assertThat(failure.tryNext().orElse("")).contains("drop that [0]").contains("version-pairs");
    assertThat(host.check("version-pairs")).isEmpty();
  }

  @Test
  void aPatchedCopyIsANote() throws IOException {
    speculators("0.3.0", PATCHED);
    vllm("0.16.0", EXECUTOR);

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .filteredOn(line -> line.contains("patched copy"))
        .singleElement()
        .asString()
        .startsWith("note: speculators 0.3.0 with vllm 0.16.0 are known for this")
        .endsWith("is a patched copy without it");
  }

  @Test
  void aCopyBesideTheScriptIsWhatItImports() throws IOException {
    speculators("0.3.0", GENERATOR);
    vllm("0.16.0", EXECUTOR);
    Path copy =
        Files.createDirectories(
            host.files.script().resolveSibling("speculators").resolve("data_generation"));
    Files.writeString(copy.resolveSibling("__init__.py"), "");
    Files.writeString(copy.resolve("vllm_hidden_states_generator.py"), PATCHED);

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(line -> line.startsWith("note: ") && line.contains(copy.toString()));
  }

  @Test
  void whatOnlyTheVersionsSayIsAWarning() throws IOException {
    site.distribution("speculators", "0.3.0", "");
    site.distribution("vllm", "0.16.0", "");
    Files.createDirectories(site.folder().resolve("speculators"));

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(
            line -> line.startsWith("warning: speculators 0.3.0 with vllm 0.16.0: each token"));
  }

  /** Whether a patch is in the file that the script imports is what nobody knew. */
  @Test
  void aFileThatWasChangedSinceItWasInstalledIsANote() throws Exception {
    speculators("0.3.0", PATCHED);
    vllm("0.16.0", EXECUTOR);
    String path = "speculators/data_generation/vllm_hidden_states_generator.py";
    site.record("speculators-0.3.0", path, PATCHED);
    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).noneMatch(line -> line.contains("was changed"));

    site.record("speculators-0.3.0", path, GENERATOR);
    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .contains("note: " + site.folder() + "/" + path + " was changed since it was installed");
  }

  @Test
  void halfOfTheEvidenceIsAWarning() throws IOException {
    speculators("0.3.0", GENERATOR);
    site.distribution("vllm", "0.16.0", "");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs"))
        .anyMatch(
            line -> line.startsWith("warning: speculators 0.3.0 with vllm 0.16.0: each token"));
  }

  @Test
  void theOldGeneratorOnTheOldVllmIsNoFault() throws IOException {
    speculators("0.3.0", GENERATOR);
    vllm("0.11.0", EXECUTOR.replace(" if output_rank is not None else replies", ""));

    assertThat(host.check()).isEmpty();
    assertThat(host.troubles()).noneMatch(line -> line.contains("each token row"));
  }

  @Test
  void aGeneratorThatWasRemovedIsRefused() throws IOException {
    site.distribution("speculators", "0.5.0", "");
    site.file("speculators/__init__.py", "");
    site.file("speculators/data_generation/__init__.py", "");

    assertThat(host.check().orElseThrow().problem())
        .startsWith("speculators 0.5.0: speculators has no VllmHiddenStatesGenerator since 0.5");
    assertThat(host.said("script-imports"))
        .containsExactly(
            "warning: the script imports speculators.data_generation.vllm_hidden_states_generator"
                + " (line 1), which this interpreter does not find");
  }

  @Test
  void aBatchWithSpeculatorsThatMixesSamplesIsAWarning() throws IOException {
    speculators("0.3.0", PATCHED);
    vllm("0.11.0", "");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).anyMatch(line -> line.contains("issues/279"));
    host.set("batch-size", "1");
    assertThat(host.check()).isEmpty();
    assertThat(host.said("version-pairs")).noneMatch(line -> line.contains("issues/279"));
  }

  @Test
  void whatPackagesAskOfOneAnotherIsHeldAgainstWhatIsThere() throws IOException {
    speculators("0.4.0.1", PATCHED);
    site.distribution(
        "speculators",
        "0.4.0.1",
        "Requires-Dist: torch<=2.10.0,>=2.9.0\n"
            + "Requires-Dist: transformers<=4.57.6,>=4.56.1\n"
            + "Requires-Dist: vllm<=0.16.0,>=0.12.0; extra == \"datagen\"\n"
            + "Requires-Dist: vllm==0.1; extra == \"dev\"\n");
    vllm("0.17.1", EXECUTOR);
    site.distribution("torch", "2.9.1+cu128", "");
    site.distribution("transformers", "5.0.0rc1", "");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("requirements"))
        .containsExactlyInAnyOrder(
            "warning: speculators 0.4.0.1 says that it needs transformers <=4.57.6,>=4.56.1, and"
                + " 5.0.0rc1 is installed",
            "warning: speculators 0.4.0.1 says that it needs vllm <=0.16.0,>=0.12.0 (extra"
                + " datagen), and 0.17.1 is installed");
    assertThat(host.said("versions"))
        .containsExactly(
            "warning: vllm 0.17.1 is installed, and speculators-0.4 is known to work with >=0.11,"
                + " <=0.16");
  }

  private void speculators(String version, String generator) throws IOException {
    site.distribution("speculators", version, "");
    site.file("speculators/__init__.py", "raise SystemExit('a package was imported')\n");
    site.file("speculators/data_generation/__init__.py", "");
    site.file("speculators/data_generation/vllm_hidden_states_generator.py", generator);
  }

  private void vllm(String version, String executor) throws IOException {
    site.distribution("vllm", version, "");
    site.file("vllm/__init__.py", "raise SystemExit('a package was imported')\n");
    site.file("vllm/v1/executor/multiproc_executor.py", executor);
  }
}
