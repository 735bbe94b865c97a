package dev.eagle3.host.ssh;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A user at a terminal whose answers are known beforehand; gives up when there are no more. */
final class ScriptedPrompter implements Prompter {
  private final Deque<String> answers = new ArrayDeque<>();
  private final List<String> questions = new ArrayList<>();
  private final List<char[]> given = new ArrayList<>();

  ScriptedPrompter(String... answers) {
    this.answers.addAll(List.of(answers));
  }

  /** What was asked so far; those with an open answer begin with {@code open }. */
  synchronized List<String> questions() {
    return List.copyOf(questions);
  }

  /** Whether everything secret that was typed is wiped by now. */
  synchronized boolean isWiped() {
    return given.stream().allMatch(secret -> new String(secret).chars().allMatch(c -> c == 0));
  }

  @Override
  public synchronized Optional<char[]> secret(String question) {
    questions.add(question);
    String answer = answers.poll();
    if (answer == null) {
      return Optional.empty();
    }
    given.add(answer.toCharArray());
    return Optional.of(given.get(given.size() - 1));
  }

  @Override
  public synchronized Optional<String> line(String question) {
    questions.add("open " + question);
    return Optional.ofNullable(answers.poll());
  }
}
