package dev.eagle3.launchline;

import dev.eagle3.shell.ShellWord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The words before an interpreter: those of every shell around it, and its own. */
final class WrapWords {
  private final Launch launch;
  private final Program program;

  WrapWords(Launch launch, Program program) {
    this.launch = launch;
    this.program = program;
  }

  /** The words from the outside in. A shell with lines of its own runs them before the rest. */
  List<ShellWord> list() {
    Deque<Scene> scenes = new ArrayDeque<>();
    for (Scene scene = launch.scene(); scene != null; scene = scene.outside) {
      scenes.addFirst(scene);
    }
    List<ShellWord> words = new ArrayList<>();
    for (Scene scene : scenes) {
      if (scene.outside == null) {
        continue;
      }
      words.addAll(scene.wrap);
      List<String> lines = scene == launch.scene() ? launch.inside() : scene.setup;
      if (!lines.isEmpty() || scene.login) {
        words.add(Program.word("bash"));
        words.add(Program.word(scene.login ? "-lc" : "-c"));
        words.add(Program.word(String.join(" && ", with(lines))));
        words.add(Program.word("bash"));
      }
    }
    words.addAll(launch.wrap());
    words.addAll(program.wrap());
    return words;
  }

  private static List<String> with(List<String> lines) {
    List<String> all = new ArrayList<>(lines);
    all.add("exec \"$@\"");
    return all;
  }
}
