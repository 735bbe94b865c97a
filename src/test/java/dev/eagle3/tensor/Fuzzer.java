package dev.eagle3.tensor;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Reads made-up files, one after another, and notes what must not be: an exception, memory or time
 * or calls beyond what any file may cost.
 */
final class Fuzzer implements Runnable {
  private static final long MOST_ALLOCATED_BYTES = 64L << 20;
  private static final int MOST_CALLS = 12;
  private static final int MOST_FAILURES = 20;

  /** Of the processor, five times what a file may take. */
  private static final long MOST_MILLIS = 10_000;

  /** A virtual machine counts memory by the buffer, now and then one that another reading used. */
  private static final int TIMES_COUNTED = 10;

  private final FuzzInputs inputs = new FuzzInputs();
  private final TensorFileReader reader = new TensorFileReader(ReadLimits.forHeap(256L << 20));
  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final long firstSeed;
  private final BooleanSupplier goesOn;

  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Map<String, Integer> codes = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private final AtomicLong seed;
  private volatile long startedNanos = System.nanoTime();
  private long mostAllocated;
  private long mostMillis;
  private int clean;

  /**
   * @param goesOn asked before each input
   */
  Fuzzer(long firstSeed, BooleanSupplier goesOn) {
    this.firstSeed = firstSeed;
    this.seed = new AtomicLong(firstSeed);
    this.goesOn = goesOn;
  }

  @Override
  public void run() {
    while (goesOn.getAsBoolean() && failures.size() < MOST_FAILURES) {
      read();
      seed.incrementAndGet();
    }
  }

  /** How many inputs were read. */
  long tried() {
    return seed.get() - firstSeed;
  }

  /** Seed and age of the input that is being read. */
  String current() {
    return "seed " + seed + ", for " + currentMillis() + " ms";
  }

  long currentMillis() {
    return (System.nanoTime() - startedNanos) / 1_000_000;
  }

  List<String> failures() {
    return failures;
  }

  private void read() {
    FuzzInputs.Input input = inputs.of(seed.get());
    kinds.merge(input.kind(), 1, Integer::sum);
    CountingBytes file = new CountingBytes("seed " + seed, input.content());
    startedNanos = System.nanoTime();
    long before = threads.getCurrentThreadAllocatedBytes();
    long began = threads.getCurrentThreadCpuTime();
    try {
      TensorFile read = reader.read(file);
      long millis = (threads.getCurrentThreadCpuTime() - began) / 1_000_000;
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      for (int time = 1; allocated > MOST_ALLOCATED_BYTES && time < TIMES_COUNTED; time++) {
        allocated = Math.min(allocated, allocatedBy(input));
      }
      judge(input, file, read, allocated, millis);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError thrown) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      fail(
          input, trace.toString().lines().limit(12).reduce("", (all, line) -> all + "\n  " + line));
    }
  }

  private long allocatedBy(FuzzInputs.Input input) throws IOException {
    CountingBytes again = new CountingBytes("seed " + seed, input.content());
    System.gc(); // which lets go of such buffers
    long before = threads.getCurrentThreadAllocatedBytes();
    reader.read(again);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void judge(
      FuzzInputs.Input input, CountingBytes file, TensorFile read, long allocated, long millis) {
    mostAllocated = Math.max(mostAllocated, allocated);
    mostMillis = Math.max(mostMillis, millis);
    if (allocated > MOST_ALLOCATED_BYTES) {
      fail(input, "allocates " + allocated + " bytes");
    }
    if (millis > MOST_MILLIS) {
      fail(input, "takes " + millis + " ms");
    }
    if (file.calls() > MOST_CALLS || file.bytesRead() > input.content().length * 2L) {
      fail(input, file.calls() + " calls for " + file.bytesRead() + " bytes");
    }
    for (TensorEntry tensor : read.tensors()) {
      checkPlaces(input, tensor);
    }
    read.findings().forEach(finding -> codes.merge(finding.code(), 1, Integer::sum));
    clean += read.findings().isEmpty() ? 1 : 0;
    if (read.container() == ContainerKind.FOREIGN
        && read.findings().stream().noneMatch(Fuzzer::isError)) {
      fail(input, "a foreign file, and nothing is wrong with it");
    }
  }

  /** Whoever reads values goes where a storage says. */
  private void checkPlaces(FuzzInputs.Input input, TensorEntry tensor) {
    StorageExtent storage = tensor.storage();
    if (storage != null
        && storage.fileOffset() >= 0
        && (storage.storedBytes() < 0
            || storage.fileOffset() > input.content().length - storage.storedBytes())) {
      fail(input, "a storage outside the file: " + storage);
    }
    if (storage != null && storage.usedBytes() < 0) {
      fail(input, "uses less than nothing: " + storage);
    }
    tensor.parts().forEach(part -> checkPlaces(input, part));
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == Severity.ERROR;
  }

  private void fail(FuzzInputs.Input input, String what) {
    failures.add("seed " + seed + " (" + input.kind() + "): " + what);
  }

  /** What was tried and what fell out. */
  String report() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d inputs from seed %d on; %d failures; %,d files without a finding%n"
                + "most memory %,d bytes, most time %d ms%n",
            tried(),
            firstSeed,
            failures.size(),
            clean,
            mostAllocated,
            mostMillis));
    kinds.forEach(
        (kind, count) -> text.append(String.format(Locale.ROOT, "%,9d  %s%n", count, kind)));
    text.append("findings:\n");
    codes.forEach(
        (code, count) -> text.append(String.format(Locale.ROOT, "%,9d  %s%n", count, code)));
    failures.forEach(failure -> text.append("FAILED ").append(failure).append('\n'));
    return text.toString();
  }
}
