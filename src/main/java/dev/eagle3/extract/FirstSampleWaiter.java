package dev.eagle3.extract;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.NameRules;
import dev.eagle3.verify.SampleName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits, in a thread of its own, for the first sample of a run that is good, and does something
 * then, once. Gives up without a word when the connection is gone.
 */
final class FirstSampleWaiter implements Closeable {
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final int MOST_ENTRIES = 1_000_000;

  /** Of a run that saves nothing good, so many files are looked at again each time. */
  private static final int MOST_LOOKED_AT = 8;

  private final FileTree files;
  private final ExtractionPlan plan;
  private final Runnable whenGood;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "first-sample");

  private FirstSampleWaiter(FileTree files, ExtractionPlan plan, Runnable whenGood) {
    this.files = files;
    this.plan = plan;
    this.whenGood = whenGood;
  }

  /** Starts to wait. */
  static FirstSampleWaiter start(FileTree files, ExtractionPlan plan, Runnable whenGood) {
    FirstSampleWaiter waiter = new FirstSampleWaiter(files, plan, whenGood);
    waiter.thread.setDaemon(true);
    waiter.thread.start();
    return waiter;
  }

  private void run() {
    try {
      Expectation expected =
          new ExpectationFinder(files)
              .find(ExpectationSources.ofRun(Expectation.NONE, plan))
              .expectation()
              .withoutSamples();
      while (!isGood(expected)) {
        if (closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      whenGood.run();
    } catch (InterruptedException nobodyDoesThat) {
      Thread.currentThread().interrupt();
    } catch (IOException | Failure lost) {
      // Whoever watches the run says it, and the end of the run looks at all files anyway.
      return;
    }
  }

  private boolean isGood(Expectation expected) throws IOException {
    List<String> samples;
    try {
      samples =
          files.list(plan.outputDir(), MOST_ENTRIES).stream()
              .filter(entry -> entry.kind() == FileKind.FILE && NameRules.isSample(entry.name()))
              .map(FileStat::path)
              .sorted(Comparator.comparing(path -> path, SampleName.NATURAL_ORDER))
              .limit(MOST_LOOKED_AT)
              .toList();
    } catch (NoSuchFileException notYet) {
      return false;
    }
    return !samples.isEmpty()
        && new FolderVerifier(files, MOST_LOOKED_AT).verify(samples, expected, event -> {}).good()
            > 0;
  }

  /** Ends the waiting, without waiting for that; what is being done then goes on to its end. */
  @Override
  public void close() {
    closed.countDown();
  }
}
