package dev.eagle3.run;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PlanJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Reads what a run was launched with. */
public final class PlanReader {
  private static final int MOST_BYTES = 8 << 20;

  private PlanReader() {}

  /**
   * The plan of a run, secrets redacted: good for looking at the run, not for launching it again.
   *
   * @throws Failure {@code REFUSED} when the run has no plan, or a file that is no plan of it
   * @throws IOException when the connection is gone
   */
  public static ExtractionPlan read(FileTree files, RunFolder folder) throws IOException {
    String text = text(files, folder);
    ExtractionPlan plan;
    try {
      plan = PlanJson.read(text);
    } catch (IOException malformed) {
      throw refused(folder, String.valueOf(malformed.getMessage())).causedBy(malformed);
    }
    if (!plan.run().equals(folder.run())) {
      throw refused(folder, "it is the plan of run " + plan.run());
    }
    return plan;
  }

  private static String text(FileTree files, RunFolder folder) throws IOException {
    try {
      FileStat stat =
          files.stat(folder.plan()).orElseThrow(() -> new NoSuchFileException(folder.plan()));
      if (stat.kind() != FileKind.FILE) {
        throw refused(folder, "it is no file");
      }
      if (stat.bytes() > MOST_BYTES) {
        throw refused(folder, "it is too large for a plan: " + stat.bytes() + " bytes");
      }
      List<ByteRange> whole = List.of(new ByteRange(0, (int) stat.bytes()));
      return new String(files.read(folder.plan(), whole).get(0), StandardCharsets.UTF_8);
    } catch (NoSuchFileException missing) {
      throw refused(folder, "it is not there").causedBy(missing);
    } catch (AccessDeniedException denied) {
      throw refused(folder, "it may not be read").causedBy(denied);
    }
  }

  private static Failure refused(RunFolder folder, String why) {
    return Failure.of(
        Exit.REFUSED,
        "run " + folder.run(),
        "its plan " + folder.plan() + " tells nothing: " + Printable.line(why, 300));
  }
}
