package dev.eagle3.extractor;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.eagle3.yaml.YamlNode;
import dev.eagle3.yaml.YamlProblems;
import dev.eagle3.yaml.YamlSection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the {@code log} part of an extractor. */
final class LogRulesReader {
  private static final java.util.regex.Pattern NAME =
      java.util.regex.Pattern.compile("[a-z][a-z0-9-]*");
  private static final java.util.regex.Pattern MINUTES =
      java.util.regex.Pattern.compile("[1-9][0-9]{0,3}m");
  private static final java.util.regex.Pattern CODE =
      java.util.regex.Pattern.compile("[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*");

  private LogRulesReader() {}

  /** The rules of a section {@code {milestones, failures}}. */
  static LogRules read(YamlSection log, YamlProblems problems) {
    return new LogRules(milestones(log, problems), failures(log, problems));
  }

  private static List<LogMilestone> milestones(YamlSection log, YamlProblems problems) {
    List<LogMilestone> milestones = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : log.items("milestones")) {
      YamlSection rule =
          YamlSection.read(
              item, "log.milestones", List.of("name", "pattern", "example", "quiet"), problems);
      String name = word(rule, "name", NAME, "a word such as model-loaded");
      if (!name.isEmpty() && !names.add(name)) {
        rule.problem("name", name + " stands twice");
      }
      String example = rule.text("example");
      Duration quiet = quiet(rule);
      pattern(rule, example)
          .ifPresent(pattern -> milestones.add(new LogMilestone(name, pattern, example, quiet)));
    }
    return milestones;
  }

  /** {@code 10m}: minutes, since nothing shorter is worth a word. */
  private static Duration quiet(YamlSection rule) {
    if (rule.value("quiet").isEmpty()) {
      return LogMilestone.QUIET;
    }
    String text = rule.text("quiet");
    if (!MINUTES.matcher(text).matches()) {
      rule.problem("quiet", "must be minutes, such as 10m");
      return LogMilestone.QUIET;
    }
    return Duration.ofMinutes(Long.parseLong(text.substring(0, text.length() - 1)));
  }

  private static List<LogFailure> failures(YamlSection log, YamlProblems problems) {
    List<LogFailure> failures = new ArrayList<>();
    for (YamlNode item : log.items("failures")) {
      YamlSection rule =
          YamlSection.read(
              item, "log.failures", List.of("code", "pattern", "example", "says", "try"), problems);
      String code = word(rule, "code", CODE, "area.name, such as gpu.out-of-memory");
      String example = rule.text("example");
      String says = rule.text("says");
      String tryNext = rule.text("try");
      Optional<Pattern> pattern = pattern(rule, example);
      if (pattern.isPresent()) {
        groups(rule, "says", says, pattern.get());
        groups(rule, "try", tryNext, pattern.get());
        shadow(rule, failures, example);
        failures.add(new LogFailure(code, pattern.get(), example, says, tryNext));
      }
    }
    return failures;
  }

  private static String word(
      YamlSection rule, String key, java.util.regex.Pattern form, String wanted) {
    String text = rule.text(key);
    if (!text.isEmpty() && !form.matcher(text).matches()) {
      rule.problem(key, "must be " + wanted);
    }
    return text;
  }

  private static Optional<Pattern> pattern(YamlSection rule, String example) {
    String text = rule.text("pattern");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Pattern pattern = Pattern.compile(text);
      if (pattern.matches("") || pattern.matcher("").find()) {
        rule.problem("pattern", "must not be found in an empty line");
      } else if (!example.isEmpty() && !pattern.matcher(example).find()) {
        rule.problem("pattern", "is not found in its example");
      }
      return Optional.of(pattern);
    } catch (PatternSyntaxException invalid) {
      rule.problem("pattern", "is not a valid RE2 pattern: " + invalid.getDescription());
      return Optional.empty();
    }
  }

  /** A sentence with {@code $2} needs a pattern with two groups. */
  private static void groups(YamlSection rule, String key, String sentence, Pattern pattern) {
    for (int at = 0; at + 1 < sentence.length(); at++) {
      int group = sentence.charAt(at) == '$' ? Character.digit(sentence.charAt(at + 1), 10) : 0;
      if (group > pattern.groupCount()) {
        rule.problem(
            key, "has $" + group + ", but the pattern has " + pattern.groupCount() + " groups");
      }
    }
  }

  /** Rules are tried in order, so an earlier one that finds this example would take its lines. */
  private static void shadow(YamlSection rule, List<LogFailure> earlier, String example) {
    for (LogFailure failure : earlier) {
      if (failure.pattern().matcher(example).find()) {
        rule.problem("example", "is already found by " + failure.code());
      }
    }
  }
}
