package dev.eagle3.transfer;

import dev.eagle3.files.FileStat;
import java.nio.file.Path;
import java.util.List;

/**
 * Files to bring home.
 *
 * @param files regular files of the host, as it listed them
 * @param to local folder; made when it is not there
 * @param overwrite whether a local file of that name with other content may be replaced
 */
public record PullRequest(List<FileStat> files, Path to, boolean overwrite) {
  /** Copies the list. */
  public PullRequest {
    files = List.copyOf(files);
  }
}
