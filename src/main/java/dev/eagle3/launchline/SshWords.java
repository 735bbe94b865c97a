package dev.eagle3.launchline;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The words of an {@code ssh}.
 *
 * @param destination as a profile takes it: {@code [user@]host[:port]}; empty when there is none
 * @param options those that say how the host is reached, with their values
 * @param command the words after the destination
 */
record SshWords(String destination, List<String> options, List<ShellWord> command) {
  private static final String WITH_VALUE = "BbcDEeFIiJLlmOopQRSWw";

  /** Of these nothing is left once the command is known: terminals, forwarding, noise. */
  private static final String OF_NO_INTEREST = "46afGgKkMNnqsTtVvXxYyCDLRcemEOQbBSwW";

  /** Copies the lists. */
  SshWords {
    options = List.copyOf(options);
    command = List.copyOf(command);
  }

  Optional<String> user() {
    int at = destination.lastIndexOf('@');
    return at > 0 ? Optional.of(destination.substring(0, at)) : Optional.empty();
  }

  /** Whether a shell puts something else in the place of a part of the destination. */
  boolean isUnknown() {
    return destination.contains("$") || destination.contains("`");
  }

  /** The words that run shell text on that host. */
  String command(String text) {
    String plain = destination.contains(":") ? "ssh://" + destination : destination;
    String before = options.isEmpty() ? "" : String.join(" ", options) + " ";
    return "ssh " + before + ShellQuote.word(plain) + " " + ShellQuote.word(text);
  }

  /** Reads the words after {@code ssh}. */
  static SshWords read(List<ShellWord> words) {
    List<String> options = new ArrayList<>();
    String user = "";
    String port = "";
    String host = "";
    int at = 0;
    while (at < words.size()) {
      String word = words.get(at++).text();
      if (word.equals("--")) {
        continue;
      }
      if (!word.startsWith("-") || word.length() < 2) {
        // Options may stand behind the host, too.
        if (!host.isEmpty()) {
          at--;
          break;
        }
        host = word;
        continue;
      }
      // Letters may share one dash: -tt, -fnp22.
      for (int letter = 1; letter < word.length(); letter++) {
        char option = word.charAt(letter);
        if (WITH_VALUE.indexOf(option) < 0) {
          if (OF_NO_INTEREST.indexOf(option) < 0) {
            options.add("-" + option);
          }
          continue;
        }
        String value = word.substring(letter + 1);
        if (value.isEmpty() && at < words.size()) {
          value = words.get(at++).text();
        }
        if (option == 'p') {
          port = value;
        } else if (option == 'l') {
          user = value;
        } else if (OF_NO_INTEREST.indexOf(option) < 0) {
          options.add("-" + option + " " + quoted(value));
        }
        break;
      }
    }
    return new SshWords(destination(host, user, port), options, words.subList(at, words.size()));
  }

  /** A tilde stays one. */
  private static String quoted(String value) {
    return value.startsWith("~/")
        ? "~/" + ShellQuote.word(value.substring(2))
        : ShellQuote.word(value);
  }

  private static String destination(String host, String user, String port) {
    String rest = host;
    String atPort = port;
    if (rest.startsWith("ssh://")) {
      rest = rest.substring("ssh://".length());
      rest = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
      int colon = rest.lastIndexOf(':');
      if (colon > rest.lastIndexOf(']') && colon > 0) {
        atPort = rest.substring(colon + 1);
        rest = rest.substring(0, colon);
      }
    }
    String withUser = user.isEmpty() || rest.contains("@") ? rest : user + "@" + rest;
    if (atPort.isEmpty() || atPort.equals("22")) {
      return withUser;
    }
    int at = withUser.lastIndexOf('@') + 1;
    String name = withUser.substring(at);
    boolean bare = name.contains(":") && !name.startsWith("[");
    return withUser.substring(0, at) + (bare ? "[" + name + "]" : name) + ":" + atPort;
  }
}
