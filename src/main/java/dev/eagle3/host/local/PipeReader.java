package dev.eagle3.host.local;

import dev.eagle3.host.OutputCapture;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/** Drains one stream of a process, on a thread of its own. */
final class PipeReader {
  /** How long a pipe may stay silent after its command ended: something else holds it open. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_MILLIS = 20;

  private final Thread thread;
  private final OutputCapture capture;

  private PipeReader(Thread thread, OutputCapture capture) {
    this.thread = thread;
    this.capture = capture;
  }

  static PipeReader start(InputStream stream, OutputCapture capture) {
    Thread thread = new Thread(() -> drain(stream, capture), "local-output");
    thread.setDaemon(true);
    thread.start();
    return new PipeReader(thread, capture);
  }

  /**
   * Waits, once the command has ended, until its output is all there.
   *
   * @return false when something that outlived the command still holds the pipe
   */
  boolean awaitEnd(long deadline) throws InterruptedException {
    long seen = capture.bytes();
    long quietSince = System.nanoTime();
    thread.join(LOOK_MILLIS);
    while (thread.isAlive()) {
      long now = System.nanoTime();
      if (capture.bytes() != seen) {
        seen = capture.bytes();
        quietSince = now;
      }
      if (now - quietSince > GRACE_NANOS || now - deadline >= 0) {
        return false;
      }
      thread.join(LOOK_MILLIS);
    }
    return true;
  }

  private static void drain(InputStream stream, OutputCapture capture) {
    byte[] buffer = new byte[16 << 10];
    try (stream) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        capture.write(buffer, 0, count);
      }
    } catch (IOException closed) {
      // Closed under the reader: what came before it counts.
      return;
    }
  }
}
