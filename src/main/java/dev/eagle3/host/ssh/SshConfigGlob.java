package dev.eagle3.host.ssh;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the files that an {@code Include} names: {@code *} and {@code ?} in any part of a path. */
final class SshConfigGlob {
  private static final int MOST_FILES = 1_000;

  private SshConfigGlob() {}

  /**
   * The files that fit, in the order of their names; none is no error.
   *
   * @param pattern an absolute path
   * @throws IOException when they are too many
   */
  static List<Path> find(Path pattern) throws IOException {
    List<Path> found = List.of(pattern.getRoot());
    for (Path part : pattern) {
      String name = part.toString();
      boolean isPattern = name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
      List<Path> next = new ArrayList<>();
      for (Path folder : found) {
        if (isPattern) {
          addMatching(next, folder, name);
        } else if (Files.exists(folder.resolve(name))) {
          next.add(folder.resolve(name));
        }
      }
      found = next;
    }
    return found.stream().sorted().toList();
  }

  private static void addMatching(List<Path> found, Path folder, String name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String own = entry.getFileName().toString();
        boolean hidden = own.startsWith(".") && !name.startsWith(".");
        if (!hidden && Wildcards.match(name, own)) {
          if (found.size() == MOST_FILES) {
            throw new IOException("more than " + MOST_FILES + " files fit");
          }
          found.add(entry);
        }
      }
    }
  }
}
