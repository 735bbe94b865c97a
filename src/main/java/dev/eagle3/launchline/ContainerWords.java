package dev.eagle3.launchline;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The words that run something in a container that is there already: {@code docker exec -i NAME},
 * {@code kubectl exec -i POD --}. To eagle3 that container is the host.
 *
 * @param words them, so that a shell with a pipe for its input can follow
 * @param name the container
 * @param variables that the words set
 * @param folder that they enter
 */
record ContainerWords(
    List<String> words,
    String name,
    List<ShellWord.Assignment> variables,
    Optional<ShellWord> folder) {

  private static final List<String> WITH_VALUE =
      List.of("-u", "--user", "-c", "--container", "-n", "--namespace", "--context", "--env-file");

  /** Copies the lists. */
  ContainerWords {
    words = List.copyOf(words);
    variables = List.copyOf(variables);
  }

  /** Reads words; empty when they are no such words, or only the host can expand them. */
  static Optional<ContainerWords> read(List<ShellWord> words) {
    List<String> texts = words.stream().map(ShellWord::text).toList();
    int exec = texts.indexOf("exec");
    if (!Programs.isContainer(Programs.name(words.get(0)))
        || exec < 1
        || !words.stream().allMatch(ShellWord::isPlain)) {
      return Optional.empty();
    }
    List<String> kept = new ArrayList<>(texts.subList(0, exec + 1));
    kept.add("-i");
    List<ShellWord.Assignment> variables = new ArrayList<>();
    Optional<ShellWord> folder = Optional.empty();
    String name = "";
    for (int at = exec + 1; at < texts.size(); at++) {
      String text = texts.get(at);
      boolean more = at + 1 < texts.size();
      if ((text.equals("-e") || text.equals("--env")) && more) {
        words.get(++at).assignment().ifPresent(variables::add);
      } else if (text.startsWith("--env=")) {
        Program.word(text.substring("--env=".length()))
            .unquoted()
            .assignment()
            .ifPresent(variables::add);
      } else if ((text.equals("-w") || text.equals("--workdir")) && more) {
        folder = Optional.of(words.get(++at));
      } else if (!text.matches("-[itd]+|--(interactive|tty|detach)")) {
        kept.add(text);
        if (WITH_VALUE.contains(text) && more) {
          kept.add(texts.get(++at));
        } else if (name.isEmpty() && !text.startsWith("-")) {
          name = text;
        }
      }
    }
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new ContainerWords(kept, name, variables, folder));
  }

  /** The command that gives a shell there, from the machine of the one who types. */
  String via(Optional<SshWords> ssh) {
    String there = words.stream().map(ShellQuote::word).collect(Collectors.joining(" ")) + " sh";
    return ssh.map(from -> from.command(there)).orElse(there);
  }
}
