package dev.eagle3.preflight;

import dev.eagle3.outcome.Printable;
import java.util.List;

/** Whether what a run writes can be written where it is to stand. */
final class PlaceChecks {
  static final List<Check> ALL =
      List.of(
          new Check("output-writable", "output", PlaceChecks::output),
          new Check("output-lock", "output", PlaceChecks::lock),
          new Check("state-writable", "host", PlaceChecks::state),
          new Check("log-writable", "host", PlaceChecks::log));

  private PlaceChecks() {}

  private static void output(Situation situation, Judgement judgement) {
    String folder = situation.plan().outputDir();
    String why = whyNot(situation, "output");
    if (why.isEmpty()) {
      judgement.ok("files can be made in " + shown(folder));
    } else if (!why.equals("-")) {
      judgement.refuseUnless(
          situation.isWrapped(),
          "--output-dir " + shown(folder) + " cannot be written: " + why,
          "another --output-dir");
    }
  }

  /** Whether that run lives is found out when the lock is taken; here it would take as long. */
  private static void lock(Situation situation, Judgement judgement) {
    for (List<String> row : situation.machine().all("lock", 2)) {
      if (row.get(1).equals("no") && !row.get(0).equals(situation.plan().run().text())) {
        judgement.warn(
            "run "
                + shown(row.get(0))
                + " has the output folder, and while it lives no other run gets it: eagle3 status "
                + shown(row.get(0))
                + ", or --replace");
      }
    }
  }

  private static void state(Situation situation, Judgement judgement) {
    String why = whyNot(situation, "state");
    if (why.isEmpty()) {
      judgement.ok("the state of a run can be kept");
    } else if (!why.equals("-")) {
      judgement.refuse(
          "the state of a run cannot be kept: " + why, "--state-dir with a folder of yours");
    }
  }

  private static void log(Situation situation, Judgement judgement) {
    String file = situation.plan().logFile();
    String why = whyNot(situation, "log");
    if (why.isEmpty()) {
      judgement.ok(shown(file) + " can become a link to the log");
    } else if (!why.equals("-")) {
      judgement.warn("there will be no link to the log at --log-file " + shown(file) + ": " + why);
    }
  }

  /** Why nothing can be made there; empty when it can, {@code -} when it is not known. */
  private static String whyNot(Situation situation, String word) {
    return situation
        .machine()
        .named("place", word, 3)
        .map(
            row ->
                switch (row.get(2)) {
                  case "writable" -> "";
                  case "no-folder" -> shown(row.get(1)) + " is no folder";
                  default ->
                      shown(row.get(1)) + " may not be written by " + situation.host().user();
                })
        .orElse("-");
  }

  private static String shown(String path) {
    return Printable.line(path, 300);
  }
}
