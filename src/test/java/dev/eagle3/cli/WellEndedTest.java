package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.demo.DemoFolder;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that exits with 0 has done nothing by that; what it saved is what counts. */
@Tag("slow")
class WellEndedTest {
  @TempDir Path folder;

  @Test
  @Hostile("a job that exits with 0 and has saved nothing")
  void aRunThatSavedNothingIsNoSuccess() throws IOException {
    CommandLineRun run = extract("print('Data generation complete!')\n");

    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(16);
    assertThat(run.out()).contains("nothing, wanted samples [set.empty]", "0 of 10 good");
  }

  @Test
  @Hostile("a job that exits with 0 and has saved fewer samples than there are")
  void aRunThatSavedFewerThanThereAreIsNoSuccess() throws IOException {
    CommandLineRun run =
        extract(
            "import os, subprocess, sys\n"
                + "at = sys.argv.index('--output-dir') + 1\n"
                + "subprocess.check_call([sys.executable, __file__ + '.whole'] + sys.argv[1:])\n"
                + "for number in (3, 7):\n"
                + "    os.remove(os.path.join(sys.argv[at], 'data_%d.pt' % number))\n");

    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(16);
    assertThat(run.out())
        .contains("2 files missing: data_N.pt, N = 3, 7, wanted 10 files [set.files-missing]")
        .contains("8 of 10 good");
  }

  private CommandLineRun extract(String script) throws IOException {
    DemoFolder demo = DemoFolder.create(Files.createDirectories(folder.resolve("demo")));
    Path python = Tools.find("python3");
    Files.move(demo.script(), Path.of(demo.script() + ".whole"));
    Files.writeString(demo.script(), script);
    Map<String, String> environment =
        new LinkedHashMap<>(demo.environment(python.getParent() + ":" + System.getenv("PATH")));
    List<String> words = new ArrayList<>(List.of("extract", "--host", "local", "--yes"));
    words.addAll(List.of("--layers", "2", "30", "58", "60", "--python", python.toString()));
    words.addAll(List.of("--script", demo.script().toString()));
    words.addAll(List.of("--model-path", demo.model().toString()));
    words.addAll(List.of("--prepared-data", demo.preparedData().toString()));
    words.addAll(List.of("--output-dir", demo.output().toString()));
    words.addAll(List.of("--log-file", demo.log().toString()));
    words.addAll(List.of("--env", "EAGLE3_STAND_IN_PACE=0"));
    return CommandLineRun.at(demo.home(), environment, words.toArray(String[]::new));
  }
}
