package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;

/**
 * A log as it grows, from a byte on: {@code follow-log.sh} and a thread that hands its bytes on.
 */
final class LogStream implements Closeable {
  private static final int CHUNK_BYTES = 64 << 10;

  private final RunningCommand running;
  private final BlockingQueue<WatchMessage> messages;
  private final Thread thread = new Thread(this::read, "log-stream");

  private LogStream(RunningCommand running, BlockingQueue<WatchMessage> messages) {
    this.running = running;
    this.messages = messages;
  }

  /**
   * Starts it.
   *
   * @param offset how many bytes of the log to leave out; it must have that many
   * @throws Failure when the host starts nothing
   */
  static LogStream start(
      HostScripts scripts, String log, long offset, BlockingQueue<WatchMessage> messages) {
    RunningCommand running =
        scripts.start(ScriptCall.of("follow-log", log, String.valueOf(offset)));
    LogStream stream = new LogStream(running, messages);
    stream.thread.setDaemon(true);
    stream.thread.start();
    return stream;
  }

  private void read() {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      try {
        InputStream in = running.stdout();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          messages.put(new WatchMessage.Bytes(this, Arrays.copyOf(buffer, count)));
        }
      } catch (IOException broken) {
        // Why is for the question about the state to find out; all that came before was handed on.
        messages.put(new WatchMessage.StreamEnded(this));
        return;
      }
      messages.put(new WatchMessage.StreamEnded(this));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it on the host too. Bytes that were read by then may still be handed on. */
  @Override
  public void close() {
    thread.interrupt();
    running.close();
  }
}
