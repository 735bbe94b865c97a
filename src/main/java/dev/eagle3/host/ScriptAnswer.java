package dev.eagle3.host;

import java.util.List;

/**
 * What a script answered between its marker lines; what a login shell printed around them is gone.
 *
 * @param code exit code of the script
 * @param lines its standard output, by lines
 * @param stderr its standard error, cut
 */
public record ScriptAnswer(int code, List<String> lines, String stderr) {
  /** Copies the list. */
  public ScriptAnswer {
    lines = List.copyOf(lines);
  }

  /** The fields of the lines that begin with {@code word} and a tab, that word left out. */
  public List<List<String>> rows(String word) {
    return lines.stream()
        .filter(line -> line.equals(word) || line.startsWith(word + "\t"))
        .map(line -> List.of(line.split("\t", -1)))
        .map(fields -> fields.subList(1, fields.size()))
        .toList();
  }
}
