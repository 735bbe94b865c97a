package dev.eagle3.report;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Single events as lines of text, printable whatever the events hold. */
final class TextLines {
  private static final int SHAPE_COLUMNS = 28;
  private static final int BYTES_COLUMNS = 10;
  private static final int MOST_PIDS = 10;
  private static final int MOST_SUBJECTS = 3;

  private final Paint paint;

  TextLines(Paint paint) {
    this.paint = paint;
  }

  String check(Event.Check check, boolean named) {
    String name = named ? " [" + Printable.line(check.name()) + "]" : "";
    return Labels.of(check.phase())
        + verdict(check.verdict())
        + Printable.line(check.says())
        + name;
  }

  private String verdict(String verdict) {
    return switch (verdict) {
      case "ok" -> "";
      case "warning" -> paint.yellow("warning") + ": ";
      case "refused" -> paint.red("refused") + ": ";
      default -> Printable.line(verdict) + ": ";
    };
  }

  String launch(Event.Launch launch) {
    return Labels.of("run")
        + Printable.line(launch.run())
        + " on "
        + Printable.line(launch.host())
        + (launch.pid() < 0 ? "" : ", pid " + launch.pid())
        + ", log "
        + Printable.line(launch.log());
  }

  String milestone(Event.Milestone milestone) {
    return Labels.of("run") + Printable.line(milestone.says());
  }

  String logLine(Event.LogLine line) {
    String text = Labels.withTabs(line.text());
    return line.stream().equals("error") ? paint.red(text) : text;
  }

  String file(Event.FileChecked file) {
    String label = Labels.of(file.verdict());
    String says = Labels.padded(Printable.line(file.says()), SHAPE_COLUMNS);
    String bytes =
        Labels.rightAligned(file.bytes() < 0 ? "" : Units.bytes(file.bytes()), BYTES_COLUMNS);
    return (file.verdict().equals("bad") ? paint.red(label) : label)
        + says
        + " "
        + bytes
        + "  "
        + Printable.line(file.path());
  }

  /**
   * A finding and its evidence.
   *
   * @param file the file whose line stands just above; it is not named again
   */
  List<String> finding(Finding finding, String file) {
    String label = severity(finding.severity(), Labels.of(finding.severity().word()));
    String rest = subjectBelow(file, finding.subject());
    List<String> lines = new ArrayList<>();
    lines.add(
        label
            + (rest.isEmpty() ? "" : Printable.line(rest) + ": ")
            + Printable.line(finding.actual())
            + (finding.expected().isEmpty() ? "" : ", wanted " + Printable.line(finding.expected()))
            + " ["
            + Printable.line(finding.code())
            + "]");
    finding.evidence().forEach(fact -> lines.add(Labels.NONE + Labels.withTabs(fact)));
    return lines;
  }

  private static String subjectBelow(String file, String subject) {
    if (file.isEmpty() || !subject.startsWith(file)) {
      return subject;
    }
    String rest = subject.substring(file.length());
    return rest.isEmpty() ? "" : rest.startsWith(": ") ? rest.substring(2) : subject;
  }

  private String severity(Severity severity, String label) {
    return switch (severity) {
      case ERROR -> paint.red(label);
      case WARNING -> paint.yellow(label);
      case NOTE -> label;
    };
  }

  List<String> cause(Cause cause) {
    List<String> lines = new ArrayList<>();
    lines.add(
        paint.bold(Labels.of("cause"))
            + Printable.line(cause.says())
            + " ["
            + Printable.line(cause.code())
            + "]");
    cause.evidence().forEach(fact -> lines.add(Labels.NONE + Labels.withTabs(fact)));
    if (!cause.subjects().isEmpty()) {
      lines.add(Labels.NONE + "seen in " + subjects(cause.subjects()));
    }
    labelled("where", cause.where(), lines);
    labelled("fix", cause.fix(), lines);
    return lines;
  }

  private static String subjects(List<String> subjects) {
    int named = subjects.size() > MOST_SUBJECTS ? 1 : subjects.size();
    String names =
        subjects.stream().limit(named).map(Printable::line).collect(Collectors.joining(", "));
    int more = subjects.size() - named;
    return more == 0 ? names : names + " and " + Units.count(more) + " more";
  }

  private void labelled(String label, String text, List<String> lines) {
    if (!text.isEmpty()) {
      lines.add(paint.bold(Labels.of(label)) + Printable.line(text));
    }
  }

  String state(Event.State state) {
    String pids =
        state.pids().stream()
            .limit(MOST_PIDS)
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    return Labels.of("run")
        + Printable.line(state.run())
        + ": "
        + Printable.line(state.state())
        + (state.code() < 0 ? "" : " with code " + state.code())
        + (state.says().isEmpty() ? "" : ": " + Printable.line(state.says()))
        + (pids.isEmpty() ? "" : ", processes " + pids)
        + (state.pids().size() > MOST_PIDS ? " …" : "")
        + details(state);
  }

  private static String details(Event.State state) {
    StringBuilder details = new StringBuilder();
    if (state.ageSeconds() >= 0) {
      details.append(" · launched ").append(Units.duration(state.ageSeconds())).append(" ago");
    }
    if (state.logBytes() >= 0) {
      details.append(" · log ").append(Units.bytes(state.logBytes()));
      if (state.logAgeSeconds() >= 0) {
        details.append(" written ").append(Units.duration(state.logAgeSeconds())).append(" ago");
      }
    }
    if (state.samples() >= 0) {
      details.append(" · ").append(Units.count(state.samples())).append(" files saved");
    }
    String where = state.output().isEmpty() ? state.host() : state.host() + ":" + state.output();
    return details.append(where.isEmpty() ? "" : " · " + Printable.line(where)).toString();
  }

  String aside(Event.Aside aside) {
    List<String> parts = new ArrayList<>();
    parts.add(Labels.of(aside.verdict()) + Printable.line(aside.path()));
    parts.add(Printable.line(aside.kind()));
    if (aside.entries() >= 0) {
      parts.add(Units.count(aside.entries()) + (aside.entries() == 1 ? " entry" : " entries"));
    }
    if (aside.bytes() >= 0) {
      parts.add(Units.bytes(aside.bytes()));
    }
    if (aside.ageSeconds() >= 0) {
      parts.add(Units.duration(aside.ageSeconds()) + " old");
    }
    parts.add("run " + Printable.line(aside.run()));
    String why = aside.says().isEmpty() ? "" : ": " + Printable.line(aside.says());
    return String.join(" · ", parts) + why;
  }

  String transfer(Event.Transfer transfer) {
    String label = Labels.of(transfer.verdict());
    return (transfer.verdict().equals("failed") ? paint.red(label) : label)
        + Labels.rightAligned(
            transfer.bytes() < 0 ? "" : Units.bytes(transfer.bytes()), BYTES_COLUMNS)
        + "  "
        + Printable.line(transfer.from())
        + " -> "
        + Printable.line(transfer.to());
  }

  String summary(Event.Summary summary) {
    boolean all = summary.good() == summary.total() && summary.total() > 0;
    String counts = Units.count(summary.good()) + " of " + Units.count(summary.total()) + " good";
    List<String> parts = new ArrayList<>();
    parts.add("eagle3: " + (all ? paint.green(counts) : paint.red(counts)));
    if (!summary.says().isEmpty()) {
      parts.add(Printable.line(summary.says()));
    }
    if (summary.seconds() >= 0) {
      parts.add(Units.duration(summary.seconds()));
    }
    if (!summary.where().isEmpty()) {
      parts.add(Printable.line(summary.where()));
    }
    return String.join(" · ", parts);
  }

  /** Lines of a problem below the first are indented, so that none passes for a line of ours. */
  List<String> failed(Event.Failed failed) {
    List<String> lines = new ArrayList<>();
    String[] problem = failed.problem().split("\n", -1);
    lines.add(
        paint.red("eagle3")
            + ": "
            + Printable.line(failed.subject())
            + ": "
            + Printable.line(problem[0]));
    Arrays.stream(problem).skip(1).forEach(line -> lines.add("  " + Labels.withTabs(line)));
    if (!failed.tryNext().isEmpty()) {
      lines.add("try: " + Printable.line(failed.tryNext()));
    }
    return lines;
  }

  String hint(Event.Hint hint) {
    return Printable.line(hint.says())
        + (hint.command().isEmpty() ? "" : ":  " + Printable.line(hint.command()));
  }

  /**
   * A step of a dry run, to be pasted into a shell.
   *
   * @param safe for a terminal: control characters are shown; else the shell text is exact
   */
  List<String> step(Event.Step step, boolean safe) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + Printable.line(step.name()));
    step.shell().lines().map(line -> safe ? Labels.withTabs(line) : line).forEach(lines::add);
    lines.add("");
    return lines;
  }
}
