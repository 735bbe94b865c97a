package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A log as it grows, from a byte on: {@code follow-log.sh}, a thread that hands its bytes on, and
 * one that tells the script now and then that somebody still listens.
 */
final class LogStream implements Closeable {
  /** A host that hears nothing for so long ends the script, whatever its server believes. */
  static final Duration HOST_PATIENCE = Duration.ofMinutes(5);

  private static final Duration BEAT = Duration.ofSeconds(30);
  private static final int CHUNK_BYTES = 64 << 10;

  /**
   * On a slow line the state of the run, and samples, wait behind what is on its way of the log.
   */
  private static final int MOST_ON_ITS_WAY_BYTES = 128 << 10;

  private final RunningCommand running;
  private final BlockingQueue<WatchMessage> messages;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread reader = new Thread(this::read, "log-stream");
  private final Thread beater = new Thread(this::beat, "log-stream-beat");

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
    ScriptCall call =
        ScriptCall.of(
            "follow-log", log, String.valueOf(offset), String.valueOf(HOST_PATIENCE.toSeconds()));
    LogStream stream = new LogStream(scripts.start(call, MOST_ON_ITS_WAY_BYTES), messages);
    stream.reader.setDaemon(true);
    stream.reader.start();
    stream.beater.setDaemon(true);
    stream.beater.start();
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
    } finally {
      over.countDown();
    }
  }

  private void beat() {
    try {
      while (!over.await(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
        running.stdin().write('.');
        running.stdin().flush();
      }
    } catch (IOException gone) {
      // The reader says so.
      return;
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it on the host too. Bytes that were read by then may still be handed on. */
  @Override
  public void close() {
    over.countDown();
    reader.interrupt();
    running.close();
  }
}
