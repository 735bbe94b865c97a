package dev.eagle3.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what must come, a long time if need be; then it is a failure. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long FIRST_LOOK_MILLIS = 5;

  /** Looking costs as much as what is waited for may need: the longer it takes, the rarer. */
  private static final long LAST_LOOK_MILLIS = 50;

  private Await() {}

  /** Waits until something holds. */
  public static void until(Callable<Boolean> wanted) {
    long begun = System.nanoTime();
    try {
      while (!wanted.call()) {
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        if (waited.compareTo(PATIENCE) > 0) {
          throw new AssertionError("waited " + PATIENCE.toSeconds() + " s in vain");
        }
        Thread.sleep(Math.min(LAST_LOOK_MILLIS, FIRST_LOOK_MILLIS + waited.toMillis() / 10));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    } catch (Exception broken) {
      throw new AssertionError("what is waited for is broken", broken);
    }
  }

  /** Reads one line, without its end, and not a byte more; blocks until it is there. */
  public static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
    }
    return line.toString(UTF_8);
  }
}
