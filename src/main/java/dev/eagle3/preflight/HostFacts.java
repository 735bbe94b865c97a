package dev.eagle3.preflight;

import dev.eagle3.host.ScriptAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a host says of itself.
 *
 * @param system kernel name: {@code Linux}
 * @param machine hardware name: {@code x86_64}
 * @param node its own name
 * @param user who we are there
 * @param home {@code $HOME} there; empty when it has none
 * @param tools by name, whether it is there
 * @param paths the files of the job by word (python, script, model, data), and what stands there
 * @param unset variables that the job is to take over, and that are not set there
 */
public record HostFacts(
    String system,
    String machine,
    String node,
    String user,
    String home,
    Map<String, Boolean> tools,
    Map<String, PathFact> paths,
    List<String> unset) {

  /** Copies the maps and the list. */
  public HostFacts {
    tools = Map.copyOf(tools);
    paths = Map.copyOf(paths);
    unset = List.copyOf(unset);
  }

  /**
   * One file of the job.
   *
   * @param kind program, file, folder, unreadable or missing
   * @param path where it was looked for
   */
  public record PathFact(String kind, String path) {}

  /** Reads the answer of {@code probe-host.sh}; rows that are cut short are passed over. */
  static HostFacts parse(ScriptAnswer answer) {
    List<String> host =
        answer.rows("host").stream()
            .filter(row -> row.size() >= 4)
            .findFirst()
            .orElse(List.of("unknown", "unknown", "unknown", "unknown"));
    Map<String, Boolean> tools = new LinkedHashMap<>();
    for (List<String> row : answer.rows("tool")) {
      if (row.size() == 2) {
        tools.put(row.get(0), row.get(1).equals("yes"));
      }
    }
    Map<String, PathFact> paths = new LinkedHashMap<>();
    for (List<String> row : answer.rows("path")) {
      if (row.size() >= 3) {
        paths.put(
            row.get(0), new PathFact(row.get(1), String.join("\t", row.subList(2, row.size()))));
      }
    }
    String home = answer.rows("home").stream().flatMap(List::stream).findFirst().orElse("");
    List<String> unset =
        answer.rows("variable").stream()
            .filter(row -> row.size() == 2 && row.get(1).equals("no"))
            .map(row -> row.get(0))
            .toList();
    return new HostFacts(
        host.get(0), host.get(1), host.get(2), host.get(3), home, tools, paths, unset);
  }

  /** Whether a tool is there. */
  public boolean has(String tool) {
    return tools.getOrDefault(tool, false);
  }
}
