package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.run.RunBench;
import dev.eagle3.run.RunFolder;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples that this process writes in all manners. */
@Tag("slow")
class SamplePollerTest {
  @TempDir Path folder;
  private final BlockingQueue<WatchMessage> messages = new LinkedBlockingQueue<>();
  private final List<FileVerdict> checked = new ArrayList<>();
  private int listed;
  private Path output;
  private Host host;
  private SamplePoller poller;

  @BeforeEach
  void start() {
    output = folder.resolve("hidden states");
    host = RunBench.localHost(folder, Map.of());
    poller =
        SamplePoller.start(
            new HostScripts(host),
            Optional.of(new RunFolder(folder + "/runs/20261129-171500-0a1b")),
            new SampleWatch(WatchPlans.of(output, 1), OnBad.WARN, false, () -> {}),
            () -> true,
            messages);
  }

  @AfterEach
  void close() {
    poller.close();
    host.close();
  }

  @Test
  void samplesAreCheckedOnceEachAsTheyAppear() throws IOException {
    Files.createDirectories(output);
    Files.write(output.resolve("data_0.pt"), sample(0));
    awaitChecked(1);
    Files.write(output.resolve("data_1.pt"), sample(1));
    Files.write(output.resolve("data_2.pt.tmp"), sample(2));
    Files.writeString(output.resolve("data_config.json"), "{}");
    awaitChecked(2);

    finish();

    assertThat(checked)
        .extracting(verdict -> Path.of(verdict.path()).getFileName() + " " + verdict.verdict())
        .containsExactly("data_0.pt GOOD", "data_1.pt GOOD");
  }

  @Test
  @Hostile("a sample that grows, rests for seconds and is then finished")
  void aSampleThatSomebodyHasOpenIsNotCalledBadHoweverLongItRests() throws IOException {
    Files.createDirectories(output);
    byte[] whole = sample(0);
    try (var writer = new FileOutputStream(output.resolve("data_0.pt").toFile())) {
      writer.write(whole, 0, whole.length / 2);
      writer.flush();
      awaitListed();
      // By the time that another cut file is called bad, this one has rested as long.
      Files.write(output.resolve("data_1.pt"), Arrays.copyOf(sample(1), 5000));
      awaitChecked(1);
      assertThat(checked.get(0).path()).endsWith("data_1.pt");
      writer.write(whole, whole.length / 2, whole.length - whole.length / 2);
    }
    awaitChecked(2);

    assertThat(checked.get(1).path()).endsWith("data_0.pt");
    assertThat(checked.get(1).verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  @Hostile("more samples than are asked about at once are open for writing, and rest")
  void ofManySamplesThatRestNoneIsCalledBadThatSomebodyHasOpen() throws IOException {
    Files.createDirectories(output);
    byte[] whole = sample(0);
    int half = whole.length / 2;
    int many = SamplePoller.MOST_ASKED_AT_ONCE + 6;
    List<FileOutputStream> writers = new ArrayList<>();
    try {
      for (int number = 0; number < many; number++) {
        writers.add(new FileOutputStream(output.resolve("data_" + number + ".pt").toFile()));
        writers.get(number).write(whole, 0, half);
      }
      // Each of these is seen in a list later than the one before, and so all others rest.
      for (int round = 1; round <= SampleTracker.RESTS + 3; round++) {
        Files.write(output.resolve("data_9" + round + "000.pt"), sample(round));
        awaitChecked(round);
      }
      assertThat(checked).extracting(FileVerdict::verdict).containsOnly(Verdict.GOOD);
    } finally {
      for (FileOutputStream writer : writers) {
        writer.write(whole, half, whole.length - half);
        writer.close();
      }
    }
    awaitChecked(many + SampleTracker.RESTS + 3);

    assertThat(checked).noneMatch(FileVerdict::isDamaged);
  }

  @Test
  @Hostile("a sample that is cut, or empty, and that nobody writes any more")
  void whatIsCutAndRestsIsBad() throws IOException {
    Files.createDirectories(output);
    Files.write(output.resolve("data_0.pt"), Arrays.copyOf(sample(0), 5000));
    Files.createFile(output.resolve("data_1.pt"));
    awaitChecked(2);

    assertThat(checked).allMatch(FileVerdict::isDamaged);
  }

  @Test
  @Hostile("a sample that is replaced by another one while it is looked at")
  void aSampleThatIsReplacedIsWhatItIsReplacedBy() throws IOException {
    Files.createDirectories(output);
    Path path = output.resolve("data_0.pt");
    Path whole = Files.write(output.resolve("data_0.pt.part"), sample(0));
    // As long as it is open, nobody calls it bad.
    try (var writer = new FileOutputStream(path.toFile())) {
      writer.write(sample(0), 0, 5000);
      awaitListed();
      Files.move(whole, path, StandardCopyOption.REPLACE_EXISTING);
    }
    awaitChecked(1);

    finish();

    assertThat(checked).extracting(FileVerdict::verdict).containsExactly(Verdict.GOOD);
  }

  @Test
  void samplesInFoldersOfTheirOwnAreFound() throws IOException {
    Path rows = Files.createDirectories(output.resolve("rank_0/rows_0-5000"));
    Files.write(rows.resolve("data_0.pt"), sample(0));

    awaitChecked(1);

    assertThat(checked.get(0).verdict()).isEqualTo(Verdict.GOOD);
  }

  private static byte[] sample(int number) {
    return new TorchFileWriter("data_" + number)
        .longs("input_ids", 1, 2, 3)
        .layers("hidden_states", 4, "bfloat16", 3, 7168)
        .longs("loss_mask", 1, 1, 1)
        .bytes();
  }

  private void awaitListed() {
    Await.until(() -> take() && listed > 0);
  }

  private void awaitChecked(int count) {
    Await.until(() -> take() && checked.size() >= count);
  }

  private void finish() {
    poller.finish();
    Await.until(
        () -> {
          boolean done = messages.stream().anyMatch(WatchMessage.AllChecked.class::isInstance);
          take();
          return done;
        });
  }

  private boolean take() {
    for (WatchMessage next = messages.poll(); next != null; next = messages.poll()) {
      if (next instanceof WatchMessage.Checked one) {
        checked.add(one.verdict());
      } else if (next instanceof WatchMessage.Listed samples) {
        listed = Math.max(1, samples.finished());
      }
    }
    return true;
  }
}
