package dev.eagle3.profile;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlProblems;

/**
 * Where a value was given: a line of a profile, a flag, or a variable.
 *
 * @param source the file, {@code --flag} or variable
 * @param line of a file; 0 for flags and variables
 * @param key path of the key in the file; empty for flags and variables
 * @param exit what a mistake there leads to
 */
record Place(String source, int line, String key, Exit exit) {
  /** A key of a profile. */
  static Place inFile(String file, int line, String key) {
    return new Place(file, line, key, Exit.PROFILE);
  }

  /** A flag of the command line; what stands behind {@code --} has no flag of its own. */
  static Place flag(String key) {
    return new Place(key.equals("args") ? "arguments after --" : "--" + key, 0, "", Exit.USAGE);
  }

  /** A variable of the environment. */
  static Place variable(String name) {
    return new Place(name, 0, "", Exit.PROFILE);
  }

  /** The entry of a map (or the item of a list) that this place holds; the name may be empty. */
  Place entry(int at, String name) {
    return line == 0 || name.isEmpty()
        ? new Place(source, line == 0 ? 0 : at, key, exit)
        : new Place(source, at, key + "." + name, exit);
  }

  /** What is wrong there. */
  Failure problem(String says) {
    return line > 0
        ? YamlProblems.problem(source, line, key, says)
        : Failure.of(exit, source, says);
  }

  /** For people: {@code my.yaml:3}, {@code --tp-size}. */
  String text() {
    return line > 0 ? source + ":" + line : source;
  }
}
