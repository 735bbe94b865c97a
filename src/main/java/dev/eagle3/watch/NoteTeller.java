package dev.eagle3.watch;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.run.GuardNotes;
import dev.eagle3.run.RunStatus;
import java.util.HashSet;
import java.util.Set;

/** Says what was noted of a run on its host, each thing once however often it is told. */
public final class NoteTeller {
  private static final String OF_DISKS = "disk.";

  private final EventSink sink;
  private final boolean all;
  private final Set<String> said = new HashSet<>();

  /**
   * A teller for one run.
   *
   * @param all whether what its guard found in samples is said too; not needed by those who look at
   *     the samples themselves
   */
  public NoteTeller(EventSink sink, boolean all) {
    this.sink = sink;
    this.all = all;
  }

  /** Says what is new. */
  public void tell(RunStatus status) {
    GuardNotes notes = status.details().notes();
    notes.findings().forEach(this::say);
    if (all) {
      for (String note : notes.says()) {
        if (said.add(note)) {
          sink.emit(new Event.Check("run", "guard", "note", note));
        }
      }
      status.endedSince().flatMap(end -> end.finding()).ifPresent(this::say);
    }
  }

  private void say(Finding finding) {
    boolean wanted = all || finding.code().startsWith(OF_DISKS);
    if (wanted && said.add(finding.code() + " " + finding.subject())) {
      sink.emit(new Event.Found(finding));
    }
  }
}
