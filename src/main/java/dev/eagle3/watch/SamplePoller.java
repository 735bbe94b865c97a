package dev.eagle3.watch;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.run.RunFolder;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FileVerifier;
import dev.eagle3.verify.SampleLister;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Lists the output folder of a run again and again, in a thread of its own, and verifies the
 * headers of samples as they appear: many in flight, each once. A sample that is not finished is
 * never called bad: what looks cut is looked at again until it has stayed the same for a while and
 * no process has it open for writing.
 */
final class SamplePoller implements Closeable {
  /** Between two lists of a small folder. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** No more than this part of the time is spent on lists of a huge folder. */
  private static final int LISTING_SHARE = 10;

  private static final Duration WHEN_LOST = Duration.ofSeconds(3);
  private static final int IN_FLIGHT = 16;
  static final int MOST_ASKED_AT_ONCE = 64;

  /**
   * Where nobody can say who writes, in how many lists a file must stay the same: a network file
   * system may tell an old size for a minute.
   */
  private static final int RESTS_UNSEEN = 12 * SampleTracker.AGAIN;

  private final HostScripts scripts;
  private final FileTree files;
  private final Optional<RunFolder> folder;
  private final SampleWatch wanted;
  private final ExtractionPlan plan;
  private final BooleanSupplier writersAreHere;
  private final BlockingQueue<WatchMessage> messages;
  private final SampleTracker tracker = new SampleTracker();
  private final FileVerifier verifier;
  private final ExecutorService readers =
      Executors.newFixedThreadPool(IN_FLIGHT, SamplePoller::reader);
  private final CountDownLatch lastRound = new CountDownLatch(1);
  private volatile boolean closed;
  private final Thread thread = new Thread(this::run, "samples");

  private SamplePoller(
      HostScripts scripts,
      Optional<RunFolder> folder,
      SampleWatch wanted,
      BooleanSupplier writersAreHere,
      BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.files = scripts.host().files();
    this.folder = folder;
    this.wanted = wanted;
    this.plan = wanted.plan();
    this.writersAreHere = writersAreHere;
    this.messages = messages;
    this.verifier = new FileVerifier(files);
  }

  /**
   * Starts it.
   *
   * @param folder of the run; empty for a job that is none
   * @param writersAreHere whether the run's processes can be seen from the host
   */
  static SamplePoller start(
      HostScripts scripts,
      Optional<RunFolder> folder,
      SampleWatch wanted,
      BooleanSupplier writersAreHere,
      BlockingQueue<WatchMessage> messages) {
    SamplePoller poller = new SamplePoller(scripts, folder, wanted, writersAreHere, messages);
    poller.thread.setDaemon(true);
    poller.thread.start();
    return poller;
  }

  /** Nothing is written any more: it looks once more at all that is there, and says so. */
  void finish() {
    lastRound.countDown();
  }

  /**
   * It says nothing any more, and ends soon. What it is reading is read to its end: a thread that
   * is interrupted within a connection takes the connection with it, which others use.
   */
  @Override
  public void close() {
    closed = true;
    lastRound.countDown();
  }

  private void run() {
    try {
      Expectation expected = untilAnswered(this::expected);
      say(new WatchMessage.Expected(expected));
      long notBefore = untilAnswered(this::launchSeconds);
      boolean last = false;
      while (!last && !closed) {
        last = lastRound.getCount() == 0;
        boolean over = last;
        Duration pause = untilAnswered(() -> round(expected.withoutSamples(), notBefore, over));
        if (!last) {
          lastRound.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
      say(new WatchMessage.AllChecked());
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } finally {
      readers.shutdown();
      // Also when this ends by a bug nobody waits for it in vain.
      messages.offer(new WatchMessage.AllChecked());
    }
  }

  private void say(WatchMessage message) throws InterruptedException {
    boolean taken = false;
    while (!taken) {
      checkOpen();
      taken = messages.offer(message, 1, TimeUnit.SECONDS);
    }
  }

  private void checkOpen() throws InterruptedException {
    if (closed) {
      throw new InterruptedException("closed");
    }
  }

  private interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  /** Whether the connection stands is for the state of the run to tell: until then, on and on. */
  private <T> T untilAnswered(Question<T> question) throws InterruptedException {
    while (true) {
      checkOpen();
      try {
        return question.ask();
      } catch (IOException | Failure lost) {
        TimeUnit.NANOSECONDS.sleep(WHEN_LOST.toNanos());
      }
    }
  }

  private Expectation expected() throws IOException {
    return new ExpectationFinder(files).find(wanted.sources()).expectation();
  }

  /** When the run was launched, where older samples stay in its folder; else it does not matter. */
  private long launchSeconds() throws IOException {
    if (wanted.sinceSeconds().isPresent()) {
      return wanted.sinceSeconds().getAsLong();
    }
    return plan.previousOutput() == PreviousOutput.KEEP && folder.isPresent()
        ? files.stat(folder.get().plan()).map(FileStat::modifiedSeconds).orElse(Long.MIN_VALUE)
        : Long.MIN_VALUE;
  }

  /** Lists and verifies once; how long to wait for the next time. */
  private Duration round(Expectation expected, long notBefore, boolean over)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    List<FileStat> listed =
        new SampleLister(files)
            .list(plan.outputDir()).stream()
                .filter(file -> file.modifiedSeconds() >= notBefore)
                .toList();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    List<SampleTracker.Due> due =
        over
            ? tracker.left(listed)
            : tracker.due(listed).stream()
                .filter(one -> one.isAtRest() || !isReadWhole(one.file()))
                .toList();
    boolean changed = tracker.hasChanged();
    int before = tracker.settled();
    check(due, expected, over);
    if (changed || tracker.settled() != before) {
      say(new WatchMessage.Listed(tracker.settled()));
    }
    Duration share = took.multipliedBy(LISTING_SHARE);
    return share.compareTo(PAUSE) > 0 ? share : PAUSE;
  }

  /** To tell anything of it, all of it has to be read: not while it grows. */
  private static boolean isReadWhole(FileStat file) {
    return file.name().endsWith(".gz");
  }

  private void check(List<SampleTracker.Due> due, Expectation expected, boolean over)
      throws IOException, InterruptedException {
    Set<String> unfinished = over ? Set.of() : beingWritten(due);
    List<Future<FileVerdict>> verdicts = new ArrayList<>();
    for (SampleTracker.Due one : due) {
      verdicts.add(readers.submit(() -> verifier.verify(one.file(), expected)));
    }
    try {
      report(due, verdicts, unfinished, over);
    } finally {
      verdicts.forEach(left -> left.cancel(false));
    }
  }

  private void report(
      List<SampleTracker.Due> due,
      List<Future<FileVerdict>> verdicts,
      Set<String> unfinished,
      boolean over)
      throws IOException, InterruptedException {
    for (int index = 0; index < due.size(); index++) {
      checkOpen();
      SampleTracker.Due one = due.get(index);
      FileVerdict verdict = await(verdicts.get(index));
      boolean finished = over || (one.isAtRest() && !unfinished.contains(one.file().path()));
      if (verdict.isMissing()) {
        tracker.forget(one.file());
      } else if (finished || !verdict.mayBeUnfinished()) {
        tracker.settle(one.file());
        say(new WatchMessage.Checked(verdict));
      }
    }
  }

  /**
   * Of the files that rest, those that are not known to be finished. What is too much to be asked
   * about at once waits until it is looked at again.
   */
  private Set<String> beingWritten(List<SampleTracker.Due> due) {
    List<SampleTracker.Due> resting = due.stream().filter(SampleTracker.Due::isAtRest).toList();
    if (resting.isEmpty()) {
      return Set.of();
    }
    List<String> paths = resting.stream().map(one -> one.file().path()).toList();
    int asked = Math.min(MOST_ASKED_AT_ONCE, paths.size());
    Optional<Set<String>> open =
        writersAreHere.getAsBoolean()
            ? WriterLooker.look(scripts, paths.subList(0, asked))
            : Optional.empty();
    if (open.isPresent()) {
      Set<String> unknown = new HashSet<>(open.get());
      unknown.addAll(paths.subList(asked, paths.size()));
      return unknown;
    }
    return resting.stream()
        .filter(one -> one.rests() < RESTS_UNSEEN)
        .map(one -> one.file().path())
        .collect(Collectors.toSet());
  }

  private static FileVerdict await(Future<FileVerdict> verdict)
      throws IOException, InterruptedException {
    try {
      return verdict.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException lost) {
        throw lost;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  private static Thread reader(Runnable work) {
    Thread thread = new Thread(work, "sample");
    thread.setDaemon(true);
    return thread;
  }
}
