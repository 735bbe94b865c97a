package dev.eagle3.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the guard of a run ends it, by its own program under a real Python, with real files and a
 * clock that the test moves on.
 */
class GuardRuleTest {
  /**
   * Does its words one after the other: {@code good:3} saves that as {@code data_3.pt}, {@code
   * gone:3} removes it, a number lets so many seconds pass with a look after each. Says when the
   * run was ended and why, or that it goes on.
   */
  private static final String DRIVER =
      """
      import json, os, shutil, sys, time, types
      program, folder, on_bad, batch = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
      guard = {'__name__': 'guard'}
      exec(compile(open(program, encoding='utf-8').read(), program, 'exec'), guard)
      seconds, ended = [1000.0], []
      guard['time'] = types.SimpleNamespace(
          monotonic=lambda: seconds[0], strftime=time.strftime, gmtime=time.gmtime)
      def stop(folder, why):
          why = json.loads(why)
          ended.append('%d s: %s [%s]' % (seconds[0] - 1000, why['since'], why['code']))
          return 'over'
      guard['stop'] = stop
      output = folder + '/output'
      os.mkdir(output)
      with open(folder + '/plan.json', 'w') as file:
          json.dump({'output-dir': output, 'on-bad': on_bad, 'batch-size': batch,
                     'layers': [2, 30, 58, 60], 'schema': 'speculators-list', 'wrap': [],
                     'previous-output': 'set-aside', 'model-path': folder + '/none',
                     'prepared-data': folder + '/none', 'script-arguments': []}, file)
      with open(folder + '/guard.jsonl', 'w') as file:
          file.write(' ' * 65536)
      one = guard['Guard'](folder, '1', '1')
      for word in sys.argv[5:]:
          kind, colon, number = word.partition(':')
          path = '%s/data_%s.pt' % (output, number)
          if kind == 'gone':
              os.remove(path)
          elif colon:
              shutil.copy('%s/%s' % (folder, kind), path + '.tmp')
              os.replace(path + '.tmp', path)
          else:
              for _ in range(int(word)):
                  seconds[0] += 1
                  one.look()
      print('\\n'.join(ended) or 'goes on')
      """;

  @TempDir Path folder;

  @Test
  @Hostile("a sample is bad, and ten good ones follow before the run may be ended")
  void aBadSampleEndsARunThatSavesQuickly() throws Exception {
    List<String> words = new ArrayList<>(List.of("good:0", "bad:1"));
    for (int number = 2; number < 60; number++) {
      words.addAll(List.of("good:" + number, "1"));
    }

    assertThat(says("stop", 1, words)).isEqualTo("17 s: data_1.pt is bad [layers.count]");
  }

  @Test
  @Hostile("three samples of ten are bad, and many good ones come within the same second")
  void threeBadOnesOfTenEndARunWhoseNextOnesAreGood() throws Exception {
    List<String> words = new ArrayList<>(List.of("good:0", "bad:1", "bad:2", "good:3", "bad:4"));
    IntStream.range(5, 19).forEach(number -> words.add("good:" + number));
    words.add("30");

    assertThat(says("auto", 1, words))
        .isEqualTo("17 s: 3 of its last 5 samples have the wrong form [layers.count]");
  }

  @Test
  void aSampleThatIsWrittenAnewAndGoodEndsNothing() throws Exception {
    List<String> words = List.of("bad:0", "good:1", "10", "good:0", "100");

    assertThat(says("stop", 1, words)).isEqualTo("goes on");
    assertThat(says("auto", 1, words)).isEqualTo("goes on");
  }

  @Test
  void aSampleThatIsWrittenAnewAndBadEndsTheRun() throws Exception {
    assertThat(says("stop", 1, List.of("bad:0", "10", "cut:0", "30")))
        .isEqualTo("30 s: data_0.pt is bad [file.cut]");
  }

  @Test
  void aBadSampleThatIsTakenAwayEndsNothing() throws Exception {
    assertThat(says("stop", 1, List.of("bad:0", "10", "gone:0", "100"))).isEqualTo("goes on");
  }

  @Test
  void whatComesAfterASampleOfTheFirstBatchThatWasTakenAwayIsNotOfTheFirstBatch() throws Exception {
    assertThat(says("auto", 1, List.of("cut:0", "10", "gone:0", "cut:1", "100")))
        .isEqualTo("goes on");
  }

  @Test
  void theNextReasonHasItsOwnTime() throws Exception {
    assertThat(says("stop", 1, List.of("bad:0", "10", "good:0", "100", "bad:1", "30")))
        .isEqualTo("127 s: data_1.pt is bad [layers.count]");
  }

  @Test
  void anotherBadSampleEndsTheRunWhereTheFirstWasWrittenAnew() throws Exception {
    assertThat(says("stop", 1, List.of("bad:0", "bad:1", "10", "good:0", "30")))
        .isEqualTo("26 s: data_1.pt is bad [layers.count]");
  }

  @Test
  void twoBadOnesOfTenAndAnyNumberUnderWarnEndNothing() throws Exception {
    List<String> two = List.of("good:0", "bad:1", "good:2", "bad:3", "40");
    List<String> four = List.of("cut:0", "bad:1", "bad:2", "bad:3", "40");

    assertThat(says("auto", 1, two)).isEqualTo("goes on");
    assertThat(says("warn", 1, four)).isEqualTo("goes on");
  }

  private String says(String onBad, int batch, List<String> words) throws Exception {
    Path run = Files.createTempDirectory(folder, "run");
    byte[] whole = TorchFileWriter.sample(20, 4, "bfloat16", 20, 64).bytes();
    Files.write(run.resolve("good"), whole);
    Files.write(run.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
    TorchFileWriter.sample(20, 29, "bfloat16", 20).write(run.resolve("bad"));
    Path driver = Files.writeString(folder.resolve("driver.py"), DRIVER);
    List<String> command =
        Stream.concat(
                Stream.of(
                    Tools.find("python3").toString(),
                    "-X",
                    "utf8",
                    "-I",
                    "-S",
                    driver.toString(),
                    "src/main/resources/host/guard.py",
                    run.toString(),
                    onBad,
                    String.valueOf(batch)),
                words.stream())
            .toList();
    Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
    python.getOutputStream().close();
    String said = new String(python.getInputStream().readAllBytes(), UTF_8);
    assertThat(python.waitFor()).as(said).isZero();
    return said.strip();
  }
}
