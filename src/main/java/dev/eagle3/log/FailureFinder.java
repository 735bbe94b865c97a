package dev.eagle3.log;

import com.google.re2j.Matcher;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogFollower;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.extractor.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a line names, by the rules of the extractor. */
final class FailureFinder {
  private final List<Rule> failures;
  private final List<Rule> losses;
  private final List<LinePattern> followers;

  private record Rule(LogFailure failure, LinePattern pattern) {}

  FailureFinder(LogRules rules) {
    failures = rules(Stream.concat(WrapperLines.RULES.stream(), rules.failures().stream()));
    losses = rules(rules.losses().stream());
    followers =
        Stream.concat(rules.followers().stream(), rules.heartbeats().stream())
            .map(LogFollower::pattern)
            .map(LinePattern::of)
            .toList();
  }

  private static List<Rule> rules(Stream<LogFailure> failures) {
    return failures.map(rule -> new Rule(rule, LinePattern.of(rule.pattern()))).toList();
  }

  /** The first rule that finds something in the line's body. */
  Optional<FailureLine> find(long offset, LogMessage message) {
    return find(failures, offset, message);
  }

  /** The first rule by which the line says that samples are missing. */
  Optional<FailureLine> findLoss(long offset, LogMessage message) {
    return find(losses, offset, message);
  }

  /** The line comes after errors, or looks like one and is none. */
  boolean isFollower(LogMessage message) {
    for (LinePattern follower : followers) {
      if (find(follower, message).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** A line begins twice: with its header, and with what is said. */
  private static Optional<Matcher> find(LinePattern pattern, LogMessage message) {
    Optional<Matcher> found = pattern.find(message.body());
    return found.isEmpty() && !message.level().isEmpty() && pattern.isAtBeginning()
        ? pattern.find(message.message())
        : found;
  }

  private static Optional<FailureLine> find(List<Rule> rules, long offset, LogMessage message) {
    String body = message.body();
    for (Rule rule : rules) {
      Optional<Matcher> found = find(rule.pattern(), message);
      if (found.isPresent()) {
        LogFailure failure = rule.failure();
        return Optional.of(
            new FailureLine(
                failure,
                offset,
                body,
                Sentence.fill(failure.says(), found.get()),
                Sentence.fill(failure.tryNext(), found.get())));
      }
    }
    return Optional.empty();
  }
}
