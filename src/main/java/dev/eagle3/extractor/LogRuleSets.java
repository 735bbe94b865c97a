package dev.eagle3.extractor;

import dev.eagle3.yaml.YamlProblems;
import dev.eagle3.yaml.YamlReader;
import dev.eagle3.yaml.YamlSection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rules for lines that programs share: {@code resources/log-rules/NAME.yaml}. An extractor names
 * those that hold for it under {@code log.includes}.
 */
public final class LogRuleSets {
  /** Their names; a test holds them to the folder. */
  public static final List<String> NAMES =
      List.of("extraction", "gpu", "host", "hub", "vllm", "python");

  private LogRuleSets() {}

  /** The rules of all sets: for a run of which nobody knows what program it runs. */
  public static LogRules all() {
    return LogRules.NONE.with(NAMES.stream().map(LogRuleSets::named).toList());
  }

  /** A set of {@link #NAMES}. */
  public static LogRules named(String name) {
    String file = "log-rules/" + name + ".yaml";
    try (InputStream in = LogRuleSets.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      YamlProblems problems = new YamlProblems(file);
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      YamlSection section =
          YamlSection.read(
              YamlReader.read(text, file),
              "",
              List.of("failures", "losses", "followers", "heartbeats"),
              problems);
      LogRules rules = LogRulesReader.readSet(section, problems);
      problems.throwIfAny();
      return rules;
    } catch (IOException unreadable) {
      throw new IllegalStateException("resource " + file, unreadable);
    }
  }
}
