package dev.eagle3.demo;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Finds the interpreter that runs the stand-ins. */
final class PythonFinder {
  private PythonFinder() {}

  /**
   * A {@code python3} of this machine: the system's own first, since those of version managers
   * start slowly.
   */
  static Path find(String path) {
    return Stream.concat(Stream.of("/usr/bin"), Arrays.stream(path.split(":", -1)))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, "python3"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                Failure.of(Exit.REFUSED, "demo", "needs python3 for its stand-ins, and finds none")
                    .orTry("sudo apt-get install -y python3"));
  }
}
