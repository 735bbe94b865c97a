package dev.eagle3.output;

import java.util.List;

/**
 * That bad files are to be moved out of the way; each keeps its path below {@code base}.
 *
 * @param base a folder that all of them are in, absolute
 * @param folder where they go: absolute, on the same machine and file system; made when it is not
 *     there
 */
public record Quarantine(String base, String folder, List<BadFile> files) {
  /** Copies the list. */
  public Quarantine {
    files = List.copyOf(files);
  }

  /** Where a file is before. */
  public String from(BadFile file) {
    return below(base, file);
  }

  /** Where a file is after. */
  public String to(BadFile file) {
    return below(folder, file);
  }

  /** The same for some of the files. */
  Quarantine of(List<BadFile> some) {
    return new Quarantine(base, folder, some);
  }

  private static String below(String above, BadFile file) {
    return (above.endsWith("/") ? above : above + "/") + file.name();
  }
}
