package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real scripts and interpreters against real files, each in one bad state. */
class PreflightTest {
  /** As extraction scripts begin. */
  private static final String SCRIPT =
      """
      import argparse
      import os


      def parse_arguments():
          parser = argparse.ArgumentParser(description="extraction")
          parser.add_argument("--model-path", required=True)
          parser.add_argument("--prepared-data", required=True)
          parser.add_argument("--output-dir", required=True)
          parser.add_argument("--batch-size", type=int, default=8)
          parser.add_argument("--max-seq-len", type=int, default=2048)
          parser.add_argument("--tp-size", type=int, default=8)
          parser.add_argument("--gpu-memory-utilization", type=float, default=0.8)
          parser.add_argument("--layer-ids", type=int, nargs="+")
          return parser.parse_args()
      """;

  @TempDir Path folder;

  private ReadyHost host;
  private String script = SCRIPT;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  void aHostOnWhichAllIsReadyIsNotRefused() {
    assertThat(host.check()).isEmpty();
    assertThat(host.said("model-shards")).singleElement().asString().contains("119 of 119 shards");
    assertThat(host.said("script-flags")).containsExactly("ok: the script knows its 8 flags");
    assertThat(host.said("layer-ids")).containsExactly("ok: layers 2 30 58 60 of 0 to 60");
    assertThat(host.said("gpu-count")).containsExactly("ok: 8 GPUs for --tp-size 8");
  }

  @Test
  void nothingIsChanged() throws IOException {
    assertThat(host.check()).isEmpty();

    assertThat(host.files.home()).isEmptyDirectory();
    assertThat(host.files.output()).doesNotExist();
    try (var all = Files.walk(folder)) {
      assertThat(all.filter(path -> path.toString().contains("__pycache__"))).isEmpty();
    }
  }

  @Test
  void aRefusalNamesWhatLeavesItOut() {
    host.set("layers", "2", "61");

    Failure failure = refused();

    assertThat(failure.problem())
        .isEqualTo("the model has no layer 61: it has 61 layers, and ids go from 0 to 60");
    assertThat(failure.tryNext().orElse("")).contains("--skip layer-ids");
    assertThat(host.check("layer-ids")).isEmpty();
    assertThat(host.said("layer-ids")).containsExactly("note: skipped: --skip layer-ids");
  }

  @Test
  void allThatIsCertainToFailIsToldAtOnce() {
    host.set("layers", "99");
    host.set("script", "/nowhere/x.py");
    host.set("prepared-data", "/nowhere/data.jsonl");

    assertThat(refused().problem())
        .contains("the model has no layer 99")
        .contains("the script --script /nowhere/x.py is not there")
        .contains("--prepared-data /nowhere/data.jsonl is not there");
  }

  @Test
  @Hostile("the interpreter is not there")
  void anInterpreterThatIsNotThereIsRefused() {
    host.set("python", "/nowhere/bin/python3");

    assertThat(refused().problem())
        .contains("the interpreter --python /nowhere/bin/python3 is not there");
  }

  @Test
  @Hostile("the interpreter is a shell")
  void aShellThatIsNamedAsTheInterpreterGetsNoTextToRun() throws IOException {
    Path seen = folder.resolve("seen");
    Path shell = program("shell", "#!/bin/sh\necho \"$*\" >>'" + seen + "'\n");
    host.set("python", shell.toString());

    assertThat(host.check()).isEmpty();
    assertThat(host.said("interpreter"))
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .contains("does not say that it is a Python 3");
    assertThat(Files.readAllLines(seen)).containsExactly("--version");
  }

  @Test
  @Hostile("the interpreter dies when it starts")
  void anInterpreterThatDiesIsAWarningWithItsLastWords() throws IOException {
    Path broken =
        program(
            "python3",
            "#!/bin/sh\n[ \"$1\" != --version ] || { echo Python 3.12.1; exit; }\n"
                + "echo 'libpython3.12.so.1.0: cannot open shared object file' >&2\nexit 127\n");
    host.set("python", broken.toString());

    assertThat(host.check()).isEmpty();
    assertThat(host.said("interpreter"))
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .contains("cannot open shared object file");
  }

  @Test
  @Hostile("the script is no Python")
  void aScriptThatThisPythonCannotParseIsRefused() throws IOException {
    Files.writeString(host.files.script(), "import sys\nprint 'hello'\n");

    assertThat(refused().problem()).contains("02_extract_hidden_states.py:2 is no Python 3");
  }

  @Test
  @Hostile("the script does harm when it is run")
  void theScriptIsNeverRun() throws IOException {
    Path done = folder.resolve("done");
    Files.writeString(
        host.files.script(),
        "open("
            + "'"
            + done
            + "', 'w')\nimport argparse\n"
            + "p = argparse.ArgumentParser()\np.add_argument('--x')\np.parse_args()\n");

    assertThat(refused().problem()).contains("the script knows no flag --model-path");
    assertThat(done).doesNotExist();
  }

  @Test
  @Hostile("modules beside the script have names of the standard library")
  void modulesBesideTheScriptAreNotRun() throws IOException {
    for (String name : new String[] {"json", "re", "os", "struct", "speculators", "torch"}) {
      Files.writeString(folder.resolve(name + ".py"), "open('" + folder + "/ran', 'w')\n");
    }

    assertThat(host.check()).isEmpty();
    assertThat(folder.resolve("ran")).doesNotExist();
  }

  @Test
  void aFlagThatTheScriptDoesNotKnowIsRefusedWithTheNearest() throws IOException {
    replaceInScript("--layer-ids", "--layers-ids");

    assertThat(refused().problem())
        .isEqualTo("the script knows no flag --layer-ids; is --layers-ids meant?");
  }

  @Test
  void aScriptThatTakesUnknownFlagsIsOnlyAWarning() throws IOException {
    replaceInScript("--layer-ids", "--target-layers");
    replaceInScript("parser.parse_args()", "parser.parse_known_args()[0]");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("script-flags"))
        .singleElement()
        .asString()
        .startsWith("warning: the script knows no flag --layer-ids")
        .contains("parse_known_args in line ");
  }

  @Test
  void aParserThatIsGivenAwayIsOnlyAWarning() throws IOException {
    replaceInScript("--layer-ids", "--target-layers");
    replaceInScript(
        "return parser.parse_args()", "add_more(parser)\n    return parser.parse_args()");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("script-flags")).singleElement().asString().contains("to add_more");
  }

  @Test
  void aFlagThatTheScriptNeedsIsRefused() throws IOException {
    replaceInScript(
        "return parser.parse_args()",
        "parser.add_argument('--dtype', required=True)\n    return parser.parse_args()");

    assertThat(refused().problem()).contains("the script needs --dtype, which is not given");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parser = argparse.ArgumentParser(|import other; parser = other.make(|comes from make",
        "return parser.parse_args()|return EngineArgs.add_cli_args(parser).parse_args()|to add_cli_args",
        "return parser.parse_args()|return parser.parse_args(['--tp-size', '8'])|a list of its own",
        "argparse.ArgumentParser(|argparse.ArgumentParser(parents=[other], |parents of its parser",
        "argparse.ArgumentParser(|vllm.FlexibleArgumentParser(|FlexibleArgumentParser may know more",
        "return parser.parse_args()|[parser.add_argument('--' + x) for x in 'ab']; return"
            + " parser.parse_args()|is computed",
      })
  void whatMayKnowMoreFlagsIsOnlyAWarning(String from, String to, String because)
      throws IOException {
    replaceInScript(from, to);
    replaceInScript("--layer-ids", "--target-layers");

    assertThat(host.check()).as(host.events.toString()).isEmpty();
    assertThat(host.said("script-flags"))
        .anyMatch(line -> line.startsWith("warning: ") && line.contains(because));
  }

  @Test
  void whatIsRequiredUnderAConditionIsNotMissed() throws IOException {
    replaceInScript(
        "return parser.parse_args()",
        "if os.environ.get('X'):\n        parser.add_argument('--dtype', required=True)\n"
            + "    return parser.parse_args()");

    assertThat(host.check()).isEmpty();
  }

  @Test
  void aModuleThatIsNotThereIsAWarning() throws IOException {
    Files.writeString(
        host.files.script(), "import no_such_module\n" + Files.readString(host.files.script()));

    assertThat(host.check()).isEmpty();
    assertThat(host.said("script-imports"))
        .containsExactly(
            "warning: the script imports no_such_module (line 1), which this interpreter does not"
                + " find");
  }

  @Test
  @Hostile("a shard of the model is missing")
  void aShardThatIsMissingIsRefused() throws IOException {
    Files.delete(shard(7));

    assertThat(refused().problem())
        .isEqualTo("118 of 119 shards are whole: model-00007-of-00119.safetensors is missing");
  }

  @Test
  @Hostile("a shard of the model is cut")
  void aShardThatIsCutIsRefused() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(shard(80).toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }

    assertThat(refused().problem()).contains("model-00080-of-00119.safetensors is cut: ");
  }

  @Test
  @Hostile("a shard of the model is a pointer of Git LFS")
  void aShardThatWasNeverFetchedIsRefused() throws IOException {
    Files.writeString(
        shard(3), "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4999999\n");

    assertThat(refused().problem()).contains("is a pointer of Git LFS");
  }

  @Test
  @Hostile("a shard of the model is a link to nothing")
  void aShardThatIsALinkToNothingIsRefused() throws IOException {
    Files.delete(shard(3));
    Files.createSymbolicLink(shard(3), folder.resolve("blobs/gone"));

    assertThat(refused().problem())
        .contains("model-00003-of-00119.safetensors is a link to nothing");
  }

  @Test
  @Hostile("a header of a shard claims 8 exabytes")
  void aHeaderThatClaimsTooMuchIsRefusedAndCostsNothing() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(shard(1).toFile(), "rw")) {
      file.write(new byte[] {-1, -1, -1, -1, -1, -1, -1, 127});
    }

    assertThat(refused().problem()).contains("is no safetensors file");
  }

  @Test
  @Hostile("the index of the model is cut")
  void anIndexThatIsCutIsRefused() throws IOException {
    Path index = host.files.model().resolve("model.safetensors.index.json");
    Files.writeString(index, Files.readString(index).substring(0, 500));

    assertThat(refused().problem()).contains("model.safetensors.index.json cannot be read");
  }

  @Test
  @Hostile("the index of the model names files elsewhere")
  void anIndexThatNamesFilesElsewhereIsRefused() throws IOException {
    Files.writeString(
        host.files.model().resolve("model.safetensors.index.json"),
        "{\"weight_map\": {\"a\": \"../../etc/passwd\"}}");

    assertThat(refused().problem()).contains("names a shard that is no file of this folder");
  }

  @Test
  @Hostile("the output folder would stand below a file")
  void anOutputFolderBelowAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    host.set("output-dir", file.resolve("deep/hidden_states").toString());

    assertThat(refused().problem()).contains("cannot be written").contains("is no folder");
  }

  @Test
  void anotherRunThatHasTheFolderIsAWarningUntilItHasEnded() throws IOException {
    Path run = Files.createDirectories(folder.resolve("state/runs/20260101-000000-abcd"));
    Path lock = Files.createDirectory(folder.resolve("hidden_states.eagle3-lock"));
    Files.writeString(lock.resolve("20260101-000000-abcd"), run + "\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("output-lock"))
        .singleElement()
        .asString()
        .startsWith("warning: run 20260101-000000-abcd has the output folder");

    Files.writeString(run.resolve("exit.0"), "");
    assertThat(host.check()).isEmpty();
    assertThat(host.said("output-lock")).isEmpty();
  }

  @Test
  void fewerGpusThanTheJobNeedsAreRefused() {
    host.set("tp-size", "16");

    assertThat(refused().problem()).contains("has 8 GPUs for --tp-size 16");
  }

  @Test
  @Hostile("nvidia-smi fails while GPUs are counted")
  void gpusAreCountedWithoutNvidiaSmiToo() throws IOException {
    Files.writeString(host.files.bin().resolve("nvidia-smi"), "#!/bin/sh\nexit 9\n");
    host.set("tp-size", "16");

    assertThat(refused().problem()).contains("has 8 GPUs for --tp-size 16");
  }

  @Test
  void whatAWrappedJobSeesIsOnlyAWarning() {
    host.set("python", "/opt/inside/python3");
    host.flags.put("wrap", java.util.List.of("apptainer exec --nv img.sif"));

    Optional<Failure> failure = host.check();

    assertThat(failure).isEmpty();
    assertThat(host.troubles()).anyMatch(line -> line.startsWith("interpreter: "));
  }

  private Failure refused() {
    Failure failure =
        host.check().orElseThrow(() -> new AssertionError("not refused: " + host.events));
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    return failure;
  }

  private Path shard(int number) {
    return host.files.model().resolve(String.format("model-%05d-of-00119.safetensors", number));
  }

  private void replaceInScript(String from, String to) throws IOException {
    assertThat(script).contains(from);
    script = script.replace(from, to);
    Files.writeString(host.files.script(), script);
  }

  private Path program(String name, String text) throws IOException {
    Path program = Files.writeString(folder.resolve("bin").resolve(name), text);
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
