package dev.eagle3.yaml;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import java.util.ArrayList;
import java.util.List;

/** All that is wrong with one YAML file: {@code file:line: key: what is wrong}. */
public final class YamlProblems {
  private final String file;
  private final List<Failure> found = new ArrayList<>();

  /**
   * Nothing wrong so far.
   *
   * @param file its name, for messages
   */
  public YamlProblems(String file) {
    this.file = file;
  }

  /** Adds what is wrong with a key, named by its path from the top of the file. */
  public void add(int line, String key, String says) {
    found.add(problem(file, line, key, says));
  }

  /** What was found, in the order of {@link #add}. */
  public List<Failure> found() {
    return List.copyOf(found);
  }

  /**
   * Ends the reading of a file with problems.
   *
   * @throws Failures when something was added
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new Failures(found);
    }
  }

  /** One problem as it is printed. */
  public static Failure problem(String file, int line, String key, String says) {
    return Failure.of(Exit.PROFILE, file + ":" + line, key + ": " + says);
  }
}
