package dev.eagle3.cli;

import dev.eagle3.extract.Questioner;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Severity;
import dev.eagle3.output.BadFile;
import dev.eagle3.output.Quarantine;
import dev.eagle3.output.Quarantined;
import dev.eagle3.output.Quarantiner;
import dev.eagle3.report.Units;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What becomes of files that are found bad, and which files are listed. */
final class BadFileOptions {
  private static final int MOST_NAMES = 5;
  private static final Set<String> VERDICTS = Set.of("good", "bad");

  @Option(
      names = "--quarantine",
      paramLabel = "DIR",
      description = {
        "Move bad files to DIR, on their machine and file system, after asking; so a program that"
            + " skips files that are there makes them again. Nothing is overwritten, and it says how"
            + " they come back."
      })
  @Nullable String quarantine;

  @Option(
      names = "--only",
      paramLabel = "good|bad",
      description = "List only files that are good, or bad, and those however many they are.")
  @Nullable String only;

  /**
   * The events without those of files that are not asked for.
   *
   * @throws Failure {@code USAGE}
   */
  EventSink listed(EventSink sink) {
    if (only == null) {
      return sink;
    }
    if (!VERDICTS.contains(only)) {
      String says = "\"" + Printable.line(only, 60) + "\" is neither good nor bad";
      throw Failure.of(Exit.USAGE, "--only", says).orTry("--only bad");
    }
    return new VerdictFilter(only, sink);
  }

  /**
   * Checks what can be checked of {@code --quarantine} before files are read, which may take long.
   *
   * @param yes whether nobody needs to be asked
   * @throws Failure {@code USAGE}; {@code REFUSED} when nobody can be asked, or the folder takes no
   *     files
   */
  void check(Place place, Surroundings surroundings, boolean yes) {
    if (quarantine == null) {
      return;
    }
    Surroundings.Terminal terminal = surroundings.terminal();
    if (!yes && !(terminal.input() && terminal.error())) {
      throw Failure.of(
              Exit.REFUSED, "no terminal", "so nobody can be asked before bad files are moved")
          .orTry("the same command without --quarantine to see them, or with --yes");
    }
    String folder = place.here("--quarantine", quarantine);
    for (String path : place.paths()) {
      String above = path.endsWith("/") ? path : path + "/";
      boolean isInside = (folder + "/").startsWith(above);
      if (isInside && !folder.startsWith(above + ".")) {
        throw Failure.of(
                Exit.USAGE,
                "--quarantine " + Printable.line(quarantine, 200),
                "lies in " + Printable.line(path, 200) + ", where it would count as output")
            .orTry("--quarantine " + ShellQuote.word(path + ".bad"));
      }
    }
    quarantiner(place, surroundings).look(new Quarantine(place.paths().get(0), folder, List.of()));
  }

  private static Quarantiner quarantiner(Place place, Surroundings surroundings) {
    Host host = place.host();
    Host there = host == null ? new LocalHost(Hosts.LOCAL, surroundings.environment()) : host;
    return new Quarantiner(new HostScripts(there));
  }

  /**
   * Moves bad files, after asking, where that is wanted. What was not read, or may be good, stays.
   *
   * @param agree answers a question
   * @throws Failure {@code REFUSED} when nobody agrees, or the folder cannot take them
   */
  void moveBad(
      Place place,
      Surroundings surroundings,
      List<FileVerdict> files,
      Questioner agree,
      EventSink sink) {
    if (quarantine == null) {
      return;
    }
    Quarantine wanted = wanted(place, place.here("--quarantine", quarantine), files);
    if (wanted.files().isEmpty()) {
      long unread = files.stream().filter(BadFileOptions::isUnread).count();
      String stay = unread == 0 ? "" : "; of " + unread + " it is not known, so they stay";
      sink.emit(check("note", "no bad file to move" + stay));
      return;
    }
    Quarantiner quarantiner = quarantiner(place, surroundings);
    Quarantined seen = quarantiner.look(wanted);
    seen.left().forEach(left -> sayLeft(left, sink));
    if (seen.moved().isEmpty()) {
      sink.emit(check("note", "nothing is moved"));
      return;
    }
    Quarantine agreed = new Quarantine(wanted.base(), wanted.folder(), seen.moved());
    String where = place.shown(wanted.folder());
    boolean isAll = files.stream().noneMatch(file -> file.verdict() == Verdict.GOOD);
    String what = amount(seen.moved()) + (isAll ? ", where no file is good," : "");
    if (!agree.agrees("move " + what + " to " + where + "?")) {
      throw Failure.of(Exit.REFUSED, where, "you did not agree; nothing was moved");
    }
    move(quarantiner, agreed, place, sink);
  }

  private static void move(
      Quarantiner quarantiner, Quarantine quarantine, Place place, EventSink sink) {
    Quarantined done = quarantiner.move(quarantine);
    for (BadFile file : done.moved()) {
      sink.emit(
          new Event.Transfer(quarantine.from(file), quarantine.to(file), file.bytes(), "moved"));
    }
    done.left().forEach(left -> sayLeft(left, sink));
    String says = amount(done.moved()) + " moved to " + place.shown(quarantine.folder());
    sink.emit(check("ok", says));
    sink.emit(
        new Event.Hint(
            place.host() == null ? "put back with" : "put back, on the host, with",
            "sh " + ShellQuote.word(quarantine.folder() + "/" + Quarantiner.PUT_BACK)));
  }

  private static Quarantine wanted(Place place, String folder, List<FileVerdict> files) {
    String base = CommonFolder.of(place.paths(), files);
    String above = base.endsWith("/") ? base : base + "/";
    List<BadFile> bad = new ArrayList<>();
    for (FileVerdict file : files) {
      if (file.verdict() == Verdict.BAD && !isUnread(file) && !isMissing(file)) {
        bad.add(new BadFile(file.path().substring(above.length()), file.bytes(), why(file)));
      }
    }
    return new Quarantine(base, folder, bad);
  }

  private static boolean isUnread(FileVerdict file) {
    return file.verdict() == Verdict.BAD && file.isUndecided();
  }

  private static boolean isMissing(FileVerdict file) {
    return file.bytes() < 0
        || file.findings().stream().anyMatch(found -> found.code().equals("file.missing"));
  }

  private static String why(FileVerdict file) {
    return file.findings().stream()
        .filter(found -> found.severity() == Severity.ERROR)
        .map(found -> found.code() + ", " + found.actual())
        .findFirst()
        .orElse(file.says());
  }

  private static void sayLeft(Quarantined.Left left, EventSink sink) {
    sink.emit(check("note", Printable.line(left.file().name(), 200) + " stays: " + left.why()));
  }

  private static String amount(List<BadFile> files) {
    long bytes = files.stream().mapToLong(BadFile::bytes).sum();
    String names =
        files.stream()
            .limit(MOST_NAMES)
            .map(file -> Printable.line(file.name(), 60))
            .collect(Collectors.joining(", "));
    return Units.count(files.size())
        + (files.size() == 1 ? " bad file (" : " bad files (")
        + names
        + (files.size() > MOST_NAMES ? ", …" : "")
        + "; "
        + Units.bytes(bytes)
        + ")";
  }

  private static Event.Check check(String verdict, String says) {
    return new Event.Check("output", "quarantine", verdict, says);
  }
}
