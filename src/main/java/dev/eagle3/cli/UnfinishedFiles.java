package dev.eagle3.cli;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Tells which bad files may only be unfinished: they have grown since, or were just written. */
final class UnfinishedFiles {
  /** Such files are the last ones of a run; a folder of broken ones is another story. */
  private static final int MOST_FILES = 64;

  private static final long JUST_SECONDS = 10;

  private UnfinishedFiles() {}

  /** Looks at bad files once more; one round trip each. */
  static void say(FileTree files, List<FileVerdict> verdicts, InstantSource clock, EventSink sink) {
    List<FileVerdict> broken =
        verdicts.stream()
            .filter(file -> file.verdict() == Verdict.BAD && file.bytes() >= 0)
            .filter(file -> file.findings().stream().anyMatch(UnfinishedFiles::isOfFile))
            .toList();
    for (FileVerdict file : broken.subList(0, Math.min(broken.size(), MOST_FILES))) {
      try {
        files.stat(file.path()).flatMap(now -> says(file, now, clock)).ifPresent(sink::emit);
      } catch (IOException unreadable) {
        // What cannot be asked any more was reported as it was.
        return;
      }
    }
  }

  private static boolean isOfFile(Finding finding) {
    return finding.code().startsWith("file.");
  }

  private static Optional<Event> says(FileVerdict file, FileStat now, InstantSource clock) {
    String name = now.name();
    if (now.bytes() != file.bytes()) {
      String says =
          name + " is being written: it had " + file.bytes() + " bytes, and has " + now.bytes();
      return Optional.of(check(says));
    }
    long age = clock.instant().getEpochSecond() - now.modifiedSeconds();
    return Math.abs(age) > JUST_SECONDS
        ? Optional.empty()
        : Optional.of(check(name + " was just written, and may not be finished"));
  }

  private static Event check(String says) {
    return new Event.Check("samples", "being-written", "note", says + ": look again in a moment");
  }
}
