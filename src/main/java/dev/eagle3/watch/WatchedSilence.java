package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.AwakeTime;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a watch that is about silence: says when a run neither writes to its log nor saves
 * anything for longer than its phase allows, with what its processes do. Never ends it. For the
 * thread that watches.
 */
final class WatchedSilence {
  private final HostScripts scripts;
  private final RunFolder folder;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages;
  private final Silence silence;
  private long oldBytes;
  private boolean computes;

  WatchedSilence(
      HostScripts scripts,
      RunFolder folder,
      LogRules rules,
      EventSink sink,
      BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.folder = folder;
    this.sink = sink;
    this.messages = messages;
    this.silence = new Silence(rules, AwakeTime::nanos);
  }

  /**
   * Takes events of the log for signs of life and passes them on; {@code offset} is read so far.
   */
  EventSink listening(LongSupplier offset) {
    return silence.listening(sink, () -> offset.getAsLong() >= oldBytes);
  }

  /** The watch begins: what the log has by now is old. */
  void begin(RunStatus first) {
    oldBytes = Math.max(0, first.logBytes());
    silence.backdate(Duration.ofSeconds(first.details().logAgeSeconds().orElse(0)));
  }

  /** Goes on, with a message if there was one. */
  void look(@Nullable WatchMessage message, RunState state) {
    if (message instanceof WatchMessage.Listed) {
      silence.life();
    } else if (message instanceof WatchMessage.Used used) {
      computes = used.usage().isComputing();
    } else if (message instanceof WatchMessage.Looked looked && !state.hasEnded()) {
      silence.judge(looked.activity(), computes, folder.run().text()).forEach(this::say);
    }
    if (state instanceof RunState.Running && silence.isLookDue()) {
      ActivityLooker.start(scripts, folder, messages);
    }
    if (silence.hasEnded()) {
      sink.emit(new Event.Check("run", "stalled", "note", "it gives signs of life again"));
    }
  }

  private void say(Finding stalled) {
    sink.emit(new Event.Found(stalled));
    sink.emit(
        new Event.Hint(
            "it is left alone; end it, if it hangs, with",
            scripts.comeBack("stop " + folder.run())));
  }
}
