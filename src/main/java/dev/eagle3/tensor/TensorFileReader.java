package dev.eagle3.tensor;

import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Reads what a tensor file holds from its header and directory alone: names, shapes, dtypes,
 * strides and storages, no values. Whatever is wrong with the file is a finding of area {@code
 * file}; what could be read is there all the same.
 *
 * <p>Safe on hostile files: nothing from a file is executed, imported or constructed, every size is
 * checked before memory is taken for it, and reading ends after bounded time. May be used from many
 * threads at once; files with large headers wait for each other, so that memory stays bounded.
 */
public final class TensorFileReader {
  private final ReadLimits limits;
  private final Semaphore largeFiles = new Semaphore(1);

  /** A reader with limits that suit the heap of this JVM. */
  public TensorFileReader() {
    this(ReadLimits.forHeap(Runtime.getRuntime().maxMemory()));
  }

  TensorFileReader(ReadLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads a file: normally its first and last 32 KiB in one call, at the most a few calls more.
   * Blocks as long as those take.
   *
   * @throws IOException when the bytes cannot be had; never for what they are
   */
  public TensorFile read(RangedBytes file) throws IOException {
    Findings findings = new Findings(file.name());
    TensorContent content = TensorContent.nothing(ContainerKind.FOREIGN);
    if (file.size() == 0) {
      findings.error("file.empty", "a tensor file", "0 bytes");
    } else {
      try (FileWindow window = FileWindow.open(file, largeFiles)) {
        content = new ContentReader(window, limits, findings).read();
      } catch (FileFault fault) {
        findings.add(fault);
      }
    }
    return new TensorFile(
        file.name(),
        content.container(),
        file.size(),
        content.keys(),
        content.tensors(),
        content.arrays(),
        content.globals(),
        findings.list(),
        content.texts());
  }
}
