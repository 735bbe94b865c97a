package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags and imports of a script, read without running it. */
class PreflightScriptTest {
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


      if __name__ == "__main__":
          parse_arguments()
      """;

  @TempDir Path folder;

  private ReadyHost host;
  private String script = SCRIPT;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  void aFlagThatTheScriptDoesNotKnowIsRefusedWithTheNearest() throws IOException {
    replaceInScript("--layer-ids", "--layers-ids");

    assertThat(host.refused().problem())
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

    assertThat(host.refused().problem()).contains("the script needs --dtype, which is not given");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parser = argparse.ArgumentParser(|import other; parser = other.make(|comes from make",
        "return parser.parse_args()|return EngineArgs.add_cli_args(parser).parse_args()|to"
            + " add_cli_args",
        "return parser.parse_args()|return parser.parse_args(['--tp-size', '8'])|a list of its own",
        "argparse.ArgumentParser(|argparse.ArgumentParser(parents=[other], |parents of its parser",
        "argparse.ArgumentParser(|vllm.FlexibleArgumentParser(|FlexibleArgumentParser may know"
            + " more",
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

  /** Each works with what it is given, which argparse alone would not take. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "return parser.|parser.add_argument('--vllm-args', nargs=argparse.REMAINDER); return"
            + " parser.",
        "argparse|simple_parsing",
        "return parser.|parser.add_arguments(Config, dest='config'); return parser.",
        "return parser.|add_cli_args(parser); return parser.",
        "import os|import sys, os; '--debug' in sys.argv and sys.argv.remove('--debug')",
      })
  void aScriptThatTakesMoreThanItAddsIsNotRefused(String from, String to) throws IOException {
    replaceInScript(from, to);
    script += "\n\ndef add_cli_args(parser):\n    Engine.add_cli_args(parser)\n";
    Files.writeString(host.files.script(), script);
    host.set("args", "--vllm-args", "--enforce-eager", "--swap-space", "4", "--debug");

    assertThat(host.check()).as(host.events.toString()).isEmpty();
    assertThat(host.said("script-flags"))
        .anyMatch(line -> line.startsWith("warning: the script knows no flag --enforce-eager"));
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

  private void replaceInScript(String from, String to) throws IOException {
    assertThat(script).contains(from);
    script = script.replace(from, to);
    Files.writeString(host.files.script(), script);
  }
}
