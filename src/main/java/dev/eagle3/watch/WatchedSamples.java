package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import java.io.Closeable;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The part of a watch that is about samples: looks at them as they appear, and ends the run when
 * they are bad and that is wanted. For the thread that watches.
 */
final class WatchedSamples implements Closeable {
  private final HostScripts scripts;
  private final Optional<RunFolder> folder;
  private final SampleWatch wanted;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages;
  private final LiveSamples samples;

  private @Nullable SamplePoller poller;
  private @Nullable UsagePoller usage;
  private volatile boolean writersAreHere;
  private boolean lastRound;
  private boolean allChecked;
  private @Nullable String reason;
  private boolean ending;
  private boolean endedByUs;

  WatchedSamples(
      HostScripts scripts,
      Optional<RunFolder> folder,
      SampleWatch wanted,
      EventSink sink,
      BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.folder = folder;
    this.wanted = wanted;
    this.sink = sink;
    this.messages = messages;
    this.samples = new LiveSamples(wanted, sink, System::nanoTime);
  }

  boolean goesToTheEnd() {
    return wanted.toTheEnd();
  }

  /** Starts to look at the samples of a run in this state. */
  void start(RunState state) {
    writersAreHere = state instanceof RunState.Running;
    poller = SamplePoller.start(scripts, folder, wanted, () -> writersAreHere, messages);
    if (!state.hasEnded()) {
      usage = UsagePoller.start(scripts, wanted.plan(), messages);
    }
  }

  /**
   * Goes on, with a message if there was one. The run is ended when that is due.
   *
   * @param state that of the run
   * @return whether something is still to come once the run has ended
   */
  boolean look(@Nullable WatchMessage message, RunState state) {
    writersAreHere = state instanceof RunState.Running;
    if (message instanceof WatchMessage.Expected expected) {
      samples.expect(expected.expectation());
    } else if (message instanceof WatchMessage.Listed listed) {
      samples.count(listed.finished());
    } else if (message instanceof WatchMessage.Used used) {
      sink.emit(used.usage().toEvent());
    } else if (message instanceof WatchMessage.Checked checked) {
      samples.take(checked.verdict());
    } else if (message instanceof WatchMessage.AllChecked) {
      allChecked = true;
    } else if (message instanceof WatchMessage.RunEnded ended) {
      said(ended);
    }
    if (!state.hasEnded()) {
      endIfDue();
      return ending;
    }
    if (!ending && wanted.toTheEnd() && !lastRound && poller != null) {
      lastRound = true;
      poller.finish();
    }
    return ending || (lastRound && !allChecked);
  }

  /**
   * Why eagle3 ended the run, or was about to; empty when it did not. A job that exited with 0 was
   * done before it was told to end.
   *
   * @param state the last one that is known
   */
  Optional<String> endedSince(RunState state) {
    boolean ended = ending || (endedByUs && state.code() != 0);
    return ended ? Optional.ofNullable(reason) : Optional.empty();
  }

  /** Looks no more, and says what was bad of a run that went on. */
  @Override
  public void close() {
    if (poller != null) {
      poller.close();
    }
    if (usage != null) {
      usage.close();
    }
    if (reason == null) {
      samples.sayBad();
    }
  }

  private void endIfDue() {
    if (reason != null) {
      return;
    }
    Optional<String> due = samples.reasonToEnd();
    if (due.isPresent() && folder.isPresent()) {
      reason = due.get();
      ending = true;
      say("ending the run, since " + reason + "; --on-bad warn lets it go on");
      RunEnder.start(
          scripts, folder.get(), new EndNote("client", due.get(), samples.firstWrong()), messages);
    }
  }

  private void said(WatchMessage.RunEnded ended) {
    ending = false;
    endedByUs =
        ended.stopped().isPresent()
            && !(ended.stopped().get().byTerm().isEmpty()
                && ended.stopped().get().byKill().isEmpty());
    if (ended.stopped().isEmpty()) {
      say("the run could not be ended: " + ended.problem());
    } else if (!ended.stopped().get().isOver()) {
      say("the run " + ended.stopped().get().says());
    }
  }

  private void say(String says) {
    sink.emit(new Event.Check("run", "on-bad", "warning", says));
  }
}
