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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the {@code log} part of an extractor. */
final class LogRulesReader {
  /** Keys of the part; all but the first two may be left out. */
  static final List<String> KEYS =
      List.of("milestones", "failures", "losses", "followers", "heartbeats", "includes");

  private static final java.util.regex.Pattern NAME =
      java.util.regex.Pattern.compile("[a-z][a-z0-9-]*");
  private static final java.util.regex.Pattern MINUTES =
      java.util.regex.Pattern.compile("[1-9][0-9]{0,3}m");
  private static final java.util.regex.Pattern CODE =
      java.util.regex.Pattern.compile("[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*");

  private final YamlSection log;
  private final YamlProblems problems;

  private LogRulesReader(YamlSection log, YamlProblems problems) {
    this.log = log;
    this.problems = problems;
  }

  /** The rules of a section; those of the sets that it includes come after its own. */
  static LogRules read(YamlSection log, YamlProblems problems) {
    LogRulesReader reader = new LogRulesReader(log, problems);
    LogRules own =
        reader.own(reader.milestones(), reader.failures("failures", log.items("failures")));
    return own.with(reader.included());
  }

  /** A set of rules: all its keys may be left out. */
  static LogRules readSet(YamlSection set, YamlProblems problems) {
    LogRulesReader reader = new LogRulesReader(set, problems);
    return reader.own(List.of(), reader.failures("failures", reader.optional("failures")));
  }

  private LogRules own(List<LogMilestone> milestones, List<LogFailure> failures) {
    return new LogRules(
        milestones,
        failures,
        failures("losses", optional("losses")),
        followers("followers"),
        followers("heartbeats"));
  }

  private List<YamlNode> optional(String key) {
    return log.value(key).isPresent() ? log.items(key) : List.of();
  }

  private List<LogRules> included() {
    List<LogRules> sets = new ArrayList<>();
    List<String> names = log.value("includes").isPresent() ? log.texts("includes") : List.of();
    for (String name : names) {
      if (LogRuleSets.NAMES.contains(name)) {
        sets.add(LogRuleSets.named(name));
      } else {
        log.problem("includes", name + " is not one of " + String.join(", ", LogRuleSets.NAMES));
      }
    }
    return sets;
  }

  private List<LogMilestone> milestones() {
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

  private List<LogFollower> followers(String key) {
    List<LogFollower> followers = new ArrayList<>();
    for (YamlNode item : optional(key)) {
      YamlSection rule =
          YamlSection.read(item, "log." + key, List.of("pattern", "example"), problems);
      String example = rule.text("example");
      pattern(rule, example).ifPresent(pattern -> followers.add(new LogFollower(pattern, example)));
    }
    return followers;
  }

  private List<LogFailure> failures(String key, List<YamlNode> items) {
    List<LogFailure> failures = new ArrayList<>();
    for (YamlNode item : items) {
      YamlSection rule =
          YamlSection.read(
              item,
              "log." + key,
              List.of("code", "pattern", "example", "says", "try", "kind"),
              problems);
      String code = word(rule, "code", CODE, "area.name, such as gpu.out-of-memory");
      String example = rule.text("example");
      String says = rule.text("says");
      String tryNext = rule.text("try");
      LogFailure.Kind kind = kind(rule);
      Optional<Pattern> pattern = pattern(rule, example);
      if (pattern.isPresent()) {
        sentence(rule, "says", says, pattern.get());
        sentence(rule, "try", tryNext, pattern.get());
        shadow(rule, failures, example);
        failures.add(new LogFailure(code, pattern.get(), example, says, tryNext, kind));
      }
    }
    return failures;
  }

  private static LogFailure.Kind kind(YamlSection rule) {
    if (rule.value("kind").isEmpty()) {
      return LogFailure.Kind.CAUSE;
    }
    String word = rule.text("kind");
    for (LogFailure.Kind kind : LogFailure.Kind.values()) {
      boolean isForRules = kind != LogFailure.Kind.VERDICT;
      if (isForRules && kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    rule.problem("kind", "must be cause, report, gone or kernel");
    return LogFailure.Kind.CAUSE;
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
  private static void sentence(YamlSection rule, String key, String sentence, Pattern pattern) {
    Sentence.problem(sentence, pattern.groupCount()).ifPresent(says -> rule.problem(key, says));
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
