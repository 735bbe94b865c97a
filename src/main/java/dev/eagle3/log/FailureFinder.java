package dev.eagle3.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFailure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the failure that a line names, by the rules of the extractor. */
final class FailureFinder {
  /** Lines that report what happened in another process, which tells more itself. */
  private static final Pattern REPORT =
      Pattern.compile(
          "Engine core initialization failed|See root cause above"
              + "|WorkerProc initialization failed due to an exception in a background process"
              + "|WorkerProc hit an exception|Worker failed with error|RPC call to \\S+ timed out"
              + "|destroy_process_group|ProcessGroup.* destroy");

  /** A worker that was killed says nothing; one that failed said so before it died. */
  private static final Pattern DEATH = Pattern.compile("Worker proc \\S+ died unexpectedly");

  private static final int MOST_GROUP_CHARACTERS = 200;

  /** What the wrapper of a job says itself (job.sh), whatever the extractor is. */
  private static final LogFailure SETUP =
      new LogFailure(
          "setup.failed",
          Pattern.compile(
              "^eagle3: the job was not started: setup line (\\d+) of \\d+ ended with code (\\d+): (.*)$"),
          "eagle3: the job was not started: setup line 2 of 3 ended with code 1: module load x",
          "line $1 of setup ended with code $2, so the job was not started: $3",
          "the line by hand, in a shell on the host; what it printed stands above in the log");

  private final List<LogFailure> rules;

  FailureFinder(List<LogFailure> rules) {
    this.rules = Stream.concat(Stream.of(SETUP), rules.stream()).toList();
  }

  /** The first rule that finds something in the line's body. */
  Optional<FailureLine> find(long offset, LogMessage message) {
    for (LogFailure rule : rules) {
      Matcher matcher = rule.pattern().matcher(message.body());
      if (matcher.find()) {
        return Optional.of(
            new FailureLine(
                rule,
                offset,
                message.body(),
                filled(rule.says(), matcher),
                filled(rule.tryNext(), matcher)));
      }
    }
    return Optional.empty();
  }

  /** The line reports the failure of another process: any other failure is the cause. */
  static boolean isReport(FailureLine failure) {
    return REPORT.matcher(failure.line()).find();
  }

  /** The line says that a worker is gone: the cause, unless an error came before it. */
  static boolean isDeath(FailureLine failure) {
    return DEATH.matcher(failure.line()).find();
  }

  /** Puts groups in for {@code $0} to {@code $9}; what they hold is not looked at again. */
  private static String filled(String template, Matcher matcher) {
    if (template.indexOf('$') < 0) {
      return template;
    }
    StringBuilder filled = new StringBuilder();
    for (int index = 0; index < template.length(); index++) {
      char character = template.charAt(index);
      int group =
          character == '$' && index + 1 < template.length()
              ? Character.digit(template.charAt(index + 1), 10)
              : -1;
      if (group < 0 || group > matcher.groupCount()) {
        filled.append(character);
      } else {
        filled.append(cut(matcher.group(group)));
        index++;
      }
    }
    return filled.toString();
  }

  private static String cut(@Nullable String group) {
    if (group == null) {
      return "";
    }
    return group.length() > MOST_GROUP_CHARACTERS
        ? group.substring(0, MOST_GROUP_CHARACTERS) + "…"
        : group;
  }
}
