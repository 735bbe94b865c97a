package dev.eagle3.output;

import dev.eagle3.host.HostProcess;
import dev.eagle3.plan.RunId;
import java.util.Optional;

/**
 * A process that writes to an output folder.
 *
 * @param process who it is
 * @param run the eagle3 run that it has the mark of
 * @param session its session
 * @param isOpen whether it has a file there open for writing; else its command line names the
 *     folder
 */
public record OutputWriter(HostProcess process, Optional<RunId> run, long session, boolean isOpen) {

  /** It in one phrase. */
  public String says() {
    return process.says() + run.map(id -> ", of run " + id).orElse("");
  }
}
