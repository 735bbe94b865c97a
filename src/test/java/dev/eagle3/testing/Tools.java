package dev.eagle3.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the real programs that tests run: {@code sshd}, {@code ssh}, {@code fuser}, {@code rsync},
 * {@code python3}. A program that is not there is a failure, never a skip.
 *
 * <p>{@code sshd} must be started by the absolute path that this gives. As {@code
 * scripts/fetch-tools} leaves it, {@code EAGLE3_SSHD_SHELL} and {@code EAGLE3_SSHD_HOME} in its
 * environment set the login shell and the home of whoever logs in.
 */
public final class Tools {
  private Tools() {}

  /**
   * The absolute path of a program: from {@code target/tools/bin}, else from PATH, else from the
   * folders for administrators.
   *
   * @throws AssertionError when it is nowhere
   */
  public static Path find(String name) {
    for (Path folder : folders()) {
      Path program = folder.resolve(name).toAbsolutePath();
      if (Files.isRegularFile(program) && Files.isExecutable(program)) {
        return program;
      }
    }
    throw new AssertionError(name + " is not on this machine: run scripts/fetch-tools");
  }

  /** Whether an optional program (a further login shell, say) is here. */
  public static boolean has(String name) {
    return folders().stream().anyMatch(folder -> Files.isExecutable(folder.resolve(name)));
  }

  private static List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    folders.add(Path.of("target", "tools", "bin"));
    String path = System.getenv("PATH");
    if (path != null) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        folders.add(Path.of(folder));
      }
    }
    folders.add(Path.of("/usr/sbin"));
    folders.add(Path.of("/sbin"));
    return folders;
  }
}
