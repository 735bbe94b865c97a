package dev.eagle3.cli;

import dev.eagle3.verify.FileVerdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The deepest folder that all targets of a command are in; that folder itself, for one. */
final class CommonFolder {
  private CommonFolder() {}

  /**
   * Of absolute paths.
   *
   * @param files what is there: a target that is one of them is a file
   */
  static String of(List<String> targets, List<FileVerdict> files) {
    Set<String> plain = new HashSet<>();
    files.forEach(file -> plain.add(file.path()));
    List<String> shared = null;
    for (String target : targets) {
      List<String> words = words(target);
      List<String> folder = plain.contains(target) ? words.subList(0, words.size() - 1) : words;
      shared = shared == null ? folder : shared(shared, folder);
    }
    return "/" + String.join("/", shared == null ? List.of() : shared);
  }

  private static List<String> words(String path) {
    List<String> words = new ArrayList<>(List.of(path.split("/")));
    words.removeIf(String::isEmpty);
    return words;
  }

  private static List<String> shared(List<String> one, List<String> two) {
    int same = 0;
    while (same < Math.min(one.size(), two.size()) && one.get(same).equals(two.get(same))) {
      same++;
    }
    return one.subList(0, same);
  }
}
