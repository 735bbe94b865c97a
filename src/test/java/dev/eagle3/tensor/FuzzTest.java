package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files that nobody wrote: mutations of real ones, and made-up pickles. {@code scripts/fuzz
 * MINUTES} runs the last test for as long as wanted.
 */
class FuzzTest {
  private static final long SEED = 20260701;
  private static final int FEW = 3_000;

  /** About half a minute of one core. */
  private static final int MANY = 60_000;

  /** Ten times what any file may take. */
  private static final long HANGS_MILLIS = 20_000;

  private static final Path REPORT = Path.of("target", "fuzz", "report.txt");

  @Test
  void noFileIsThrownOrHangsOrExhaustsMemory() throws Exception {
    fuzz(SEED, rounds(FEW));
  }

  @Test
  @Tag("slow")
  void noFileOfManyIsThrownOrHangsOrExhaustsMemory() throws Exception {
    String minutes = System.getProperty("eagle3.fuzz.minutes");
    if (minutes == null) {
      fuzz(SEED + FEW, rounds(MANY));
      return;
    }
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.parseLong(minutes));
    long seed = Long.getLong("eagle3.fuzz.seed", System.currentTimeMillis() * 1000);
    fuzz(seed, () -> System.nanoTime() < end);
  }

  private static BooleanSupplier rounds(int count) {
    AtomicInteger left = new AtomicInteger(count);
    return () -> left.getAndDecrement() > 0;
  }

  private static void fuzz(long seed, BooleanSupplier goesOn) throws Exception {
    Fuzzer fuzzer = new Fuzzer(seed, goesOn);
    AtomicReference<Throwable> bug = new AtomicReference<>();
    Thread thread = new Thread(fuzzer, "fuzzer");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((which, thrown) -> bug.set(thrown));
    thread.start();
    while (thread.isAlive()) {
      thread.join(500);
      if (fuzzer.currentMillis() > HANGS_MILLIS && thread.isAlive()) {
        throw new AssertionError(
            "hangs at "
                + fuzzer.current()
                + Arrays.stream(thread.getStackTrace())
                    .map(frame -> "\n  " + frame)
                    .collect(Collectors.joining()));
      }
    }
    keep(fuzzer.report());
    assertThat(bug.get()).as("a bug of the fuzzer at " + fuzzer.current()).isNull();
    assertThat(fuzzer.failures()).isEmpty();
  }

  private static void keep(String report) throws IOException {
    Files.createDirectories(REPORT.getParent());
    Files.writeString(REPORT, report);
  }
}
