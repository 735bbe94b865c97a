package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.util.List;

/** Reads a pickle that says nowhere how long it is, from ever more of its file. */
final class PickleFetcher {
  private final FileWindow window;
  private final ReadLimits limits;

  PickleFetcher(FileWindow window, ReadLimits limits) {
    this.window = window;
    this.limits = limits;
  }

  /** Reads up to STOP, the end of the file, or the limit of a header. */
  PickleTree read(long offset) throws IOException, FileFault {
    long most = Math.min(window.size(), offset + limits.headerBytes());
    long end = Math.min(most, Math.max(FileWindow.EDGE_BYTES, offset + FileWindow.EDGE_BYTES / 2));
    while (true) {
      int length = (int) (end - offset);
      window.ensure(List.of(new ByteRange(offset, length)));
      PickleTree tree = new PickleReader(limits).read(window.slice(offset, length));
      if (!tree.endsEarly() || end == most) {
        return tree;
      }
      end = Math.min(most, end * 2);
    }
  }

  /** Whether a pickle ends early at the end of the file, and not at a limit. */
  boolean isCut(long offset, PickleTree tree) {
    return tree.endsEarly() && window.size() - offset <= limits.headerBytes();
  }
}
