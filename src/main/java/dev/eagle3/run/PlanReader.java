package dev.eagle3.run;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PlanJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Reads what a run was launched with. */
public final class PlanReader {
  private static final int MOST_BYTES = 8 << 20;

  private PlanReader() {}

  /**
   * The plan of a run, secrets redacted: good for looking at the run, not for launching it again.
   *
   * @throws IOException as {@link FileTree} says, and when the file is no plan
   */
  public static ExtractionPlan read(FileTree files, RunFolder folder) throws IOException {
    FileStat stat =
        files.stat(folder.plan()).orElseThrow(() -> new NoSuchFileException(folder.plan()));
    if (stat.bytes() > MOST_BYTES) {
      throw new IOException(folder.plan() + ": too large for a plan: " + stat.bytes() + " bytes");
    }
    byte[] bytes = files.read(folder.plan(), List.of(new ByteRange(0, (int) stat.bytes()))).get(0);
    return PlanJson.read(new String(bytes, StandardCharsets.UTF_8));
  }
}
