package dev.eagle3.host.ssh;

import java.util.Optional;

/** Asks the user about the key of an unknown host, and takes the answers that ssh takes. */
final class HostKeyQuestion {
  /** More than anybody mistypes; somebody who answers for ever is no person. */
  private static final int MOST_TURNS = 20;

  private final Prompter prompter;
  private volatile boolean open;

  HostKeyQuestion(Prompter prompter) {
    this.prompter = prompter;
  }

  /** What came of it. */
  enum Answer {
    YES,
    NO,
    NOBODY
  }

  /** Whether an answer is being waited for. */
  boolean isOpen() {
    return open;
  }

  /**
   * Asks until there is an answer.
   *
   * @param host as messages show it
   * @param key its type and fingerprint, with a blank between
   */
  Answer ask(String host, String key) {
    open = true;
    try {
      String question =
          "the authenticity of host "
              + host
              + " cannot be established; its key is "
              + key
              + ". Continue connecting (yes/no/[fingerprint])? ";
      for (int turn = 0; turn < MOST_TURNS; turn++) {
        Optional<String> line = prompter.line(question);
        if (line.isEmpty()) {
          return turn == 0 ? Answer.NOBODY : Answer.NO;
        }
        String answer = line.get().strip();
        if (answer.equalsIgnoreCase("yes")
            || answer.equals(key.substring(key.lastIndexOf(' ') + 1))) {
          return Answer.YES;
        }
        if (answer.equalsIgnoreCase("no") || answer.isEmpty()) {
          return Answer.NO;
        }
        question = "please type yes, no, or the fingerprint: ";
      }
      return Answer.NO;
    } finally {
      open = false;
    }
  }
}
