package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interpreters and scripts in a bad state; the script itself must never run. */
class PreflightInterpreterTest {
  @TempDir Path folder;

  private ReadyHost host;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  @Hostile("the interpreter is not there")
  void anInterpreterThatIsNotThereIsRefused() {
    host.set("python", "/nowhere/bin/python3");

    assertThat(host.refused().problem())
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

    assertThat(host.refused().problem()).contains("02_extract_hidden_states.py:2 is no Python 3");
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

    assertThat(host.refused().problem()).contains("the script knows no flag --model-path");
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

  private Path program(String name, String text) throws IOException {
    Path program = Files.writeString(folder.resolve("bin").resolve(name), text);
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
