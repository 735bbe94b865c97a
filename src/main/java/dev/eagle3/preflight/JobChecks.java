package dev.eagle3.preflight;

import dev.eagle3.outcome.Printable;
import dev.eagle3.yaml.NearestWord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The interpreter and the script of the job, and whether they go together. */
final class JobChecks {
  private static final String PHASE = "preflight";
  private static final String OTHER_PATHS =
      "--profile FILE with the paths of this host: docs/profile.md";

  static final List<Check> ALL =
      List.of(
          new Check("interpreter", PHASE, JobChecks::interpreter),
          new Check("script", PHASE, JobChecks::script),
          new Check("script-flags", PHASE, JobChecks::flags),
          new Check("script-imports", PHASE, JobChecks::imports),
          new Check("prepared-data", PHASE, JobChecks::preparedData));

  private JobChecks() {}

  private static void interpreter(Situation situation, Judgement judgement) {
    if (isMissing(situation, "python", List.of("program"), "the interpreter --python", judgement)) {
      return;
    }
    if (situation.isWrapped()) {
      judgement.note(
          "the job runs within `"
              + Printable.line(String.join(" ", situation.plan().wrap()), 60)
              + "`: what its interpreter finds there was not looked at");
      return;
    }
    Optional<String> version = situation.files().text("interpreter", 0);
    if (version.isEmpty()) {
      judgement.warn(
          shown(situation.plan().python())
              + " does not say that it is a Python 3; script and packages were not looked at");
    } else if (!situation.hasPart("job")) {
      judgement.warn(
          "Python "
              + version.get()
              + " could not look at script and packages: "
              + trouble(situation));
    } else {
      judgement.ok("Python " + version.get() + ", " + shown(situation.plan().python()));
    }
  }

  private static String trouble(Situation situation) {
    String said = situation.files().answer().stderr().strip();
    List<String> lines = said.lines().toList();
    return lines.isEmpty()
        ? situation.lacks("job")
        : Printable.line(lines.get(lines.size() - 1), 200);
  }

  private static void script(Situation situation, Judgement judgement) {
    if (isMissing(
        situation, "script", List.of("program", "file"), "the script --script", judgement)) {
      return;
    }
    Optional<List<String>> error = situation.files().first("script-error", 2);
    if (error.isEmpty()) {
      judgement.ok("the script is " + shown(situation.plan().script()));
      return;
    }
    OptionalLong line = Rows.number(error.get().get(0));
    String what = Printable.line(error.get().get(1), 100);
    if (line.orElse(0) == 0) {
      judgement.warn(shown(situation.plan().script()) + " could not be looked into: " + what);
      return;
    }
    judgement.refuseUnless(
        situation,
        shown(situation.plan().script())
            + ":"
            + line.getAsLong()
            + " is no Python "
            + situation.files().text("python", 0).orElse("of this interpreter")
            + ": "
            + what,
        "");
  }

  private static void flags(Situation situation, Judgement judgement) {
    FlagFit fit = FlagFit.of(situation);
    if (!fit.isKnown()) {
      return;
    }
    for (String flag : fit.unknown()) {
      String near =
          NearestWord.find(flag, fit.known()).map(word -> "; is " + word + " meant?").orElse("");
      tell(situation, fit, "the script knows no flag " + shown(flag) + near, judgement);
    }
    for (String flag : fit.lacking()) {
      tell(situation, fit, "the script needs " + shown(flag) + ", which is not given", judgement);
    }
    if (judgement.lines().isEmpty()) {
      judgement.ok("the script knows its " + fit.given() + " flags");
    }
  }

  private static void tell(Situation situation, FlagFit fit, String says, Judgement judgement) {
    if (fit.isOpen()) {
      judgement.warn(says + ", as far as can be seen (" + fit.openBecause() + ")");
    } else {
      judgement.refuseUnless(situation, says, "flags of the profile, docs/profile.md");
    }
  }

  private static void imports(Situation situation, Judgement judgement) {
    boolean changesPath = situation.files().first("path-change", 1).isPresent();
    List<List<String>> missing =
        situation.files().all("import", 4).stream()
            .filter(row -> row.get(2).equals("missing") && row.get(3).equals("always"))
            .toList();
    for (List<String> row : missing) {
      judgement.warn(
          "the script imports "
              + shown(row.get(0))
              + " (line "
              + Printable.line(row.get(1), 10)
              + "), which this interpreter does not find"
              + (changesPath ? ", unless the script's own change of sys.path helps" : "")
              + (situation.isSetUp() ? ", unless setup makes it" : ""));
    }
    if (missing.isEmpty() && situation.files().first("import", 4).isPresent()) {
      judgement.ok("all that the script imports is there");
    }
  }

  private static void preparedData(Situation situation, Judgement judgement) {
    if (!isMissing(
        situation, "data", List.of("program", "file", "folder"), "--prepared-data", judgement)) {
      judgement.ok("the prepared data is " + shown(situation.plan().preparedData()));
    }
  }

  /** Whether what stands there is none of {@code kinds}; then that is said. */
  static boolean isMissing(
      Situation situation, String word, List<String> kinds, String what, Judgement judgement) {
    HostFacts.PathFact fact = situation.host().paths().get(word);
    if (fact == null || kinds.contains(fact.kind())) {
      return false;
    }
    judgement.refuseUnless(
        situation, what + " " + shown(fact.path()) + " is " + described(fact.kind()), OTHER_PATHS);
    return true;
  }

  private static String described(String kind) {
    return switch (kind) {
      case "missing" -> "not there";
      case "unreadable" -> "not readable";
      case "file" -> "not executable";
      default -> "a " + kind;
    };
  }

  static String shown(String text) {
    return Printable.line(text, 300);
  }
}
