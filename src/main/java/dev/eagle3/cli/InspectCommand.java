package dev.eagle3.cli;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.host.Host;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.report.TextReport;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What is inside a tensor file. */
@Command(
    name = "inspect",
    description = {
      "Show what is inside a tensor file: its tensors with dtype, shape and storage, the classes"
          + " and functions that it names, and what is wrong with it. Nothing in it is ever run,"
          + " and no values are read: on a host a few ranges are fetched, not the file."
    },
    footer = {
      "",
      "Read are files of torch.save (zip, in gzip, and the older format) and safetensors; what else"
          + " a file is, is told by its bytes, never by its name.",
      "",
      "Examples:",
      "  eagle3 inspect data_0.pt",
      "  eagle3 inspect root@gpu7:/data/hidden_states/data_0.pt",
      "  eagle3 inspect --host root@gpu7 --json data/hidden_states/data_0.pt",
      "",
      "Exit codes: 0 nothing is wrong with the file, 16 something is, 2 usage, 3 a local file"
          + " cannot be read, 11 no such file on the host, 12 unreachable, 17 connection lost."
    })
final class InspectCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Parameters(
      paramLabel = "FILE",
      description = "A tensor file; [user@]host:PATH is remote, and so is any path with --host.")
  String file = "";

  InspectCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  boolean answersWithOneObject() {
    return true;
  }

  @Override
  Exit run(EventSink sink) {
    if (Target.parse(file, connection.given()) instanceof Target.Run) {
      throw Failure.of(Exit.USAGE, file, "names a run, and one file can be inspected")
          .orTry("eagle3 inspect ./" + file + ", if a file has that name");
    }
    interruptions(sink);
    // What happens on the way to a host is no part of the one object that JSON is here.
    EventSink events = output.json ? event -> {} : sink;
    Hosts hosts = hosts(connection, events);
    try (Place place =
        Place.open(List.of(file), Optional.empty(), hosts, connection.given(), events)) {
      try {
        TensorFile inside = read(place);
        if (output.json) {
          InspectionJson.print(inside, surroundings().out());
        } else {
          InspectionText.lines(inside, output.verbose).forEach(surroundings().out()::println);
          // The first line has named the file.
          inside
              .findings()
              .forEach(
                  finding ->
                      sink.emit(new Event.Found(isOf(inside, finding) ? bare(finding) : finding)));
        }
        return inside.findings().stream().anyMatch(InspectCommand::isError)
            ? Exit.WRONG
            : Exit.DONE;
      } catch (IOException unreadable) {
        throw unreadable(place, unreadable);
      }
    }
  }

  private TensorFile read(Place place) throws IOException {
    String path = place.paths().get(0);
    FileStat stat = place.files().stat(path).orElseThrow(() -> missing(place, path));
    if (stat.kind() != FileKind.FILE) {
      boolean folder = stat.kind() == FileKind.FOLDER;
      Failure failure =
          unreadable(place, folder ? "is a folder" : "is no regular file, so it was not opened");
      throw folder ? failure.orTry("eagle3 verify-shapes " + named(place)) : failure;
    }
    RangedBytes bytes = RangedBytes.of(place.files(), stat);
    TensorFile inside = new TensorFileReader().read(new Named(shown(place), bytes));
    Optional<FileStat> after = place.files().stat(path);
    boolean isSame =
        after.isPresent()
            && after.get().bytes() == stat.bytes()
            && after.get().modifiedSeconds() == stat.modifiedSeconds();
    return isSame ? inside : changed(inside);
  }

  private Failure missing(Place place, String path) {
    String folder = ShellQuote.word(path.substring(0, Math.max(1, path.lastIndexOf('/'))));
    Host host = place.host();
    return unreadable(place, "there is no such file")
        .orTry("ls -l " + folder + (host == null ? "" : "   # on " + host.name()));
  }

  /** The words that name the file on a command line. */
  private String named(Place place) {
    return ShellQuote.word(file)
        + (connection.host == null || place.host() == null
            ? ""
            : " --host " + ShellQuote.word(connection.host));
  }

  private static TensorFile changed(TensorFile inside) {
    List<Finding> findings = new ArrayList<>(inside.findings());
    findings.add(
        Finding.of(
            "file.being-written",
            Severity.ERROR,
            inside.name(),
            "a file that is finished",
            "it changed while it was read"));
    return inside.withFindings(findings);
  }

  private String shown(Place place) {
    return place.host() == null ? file : place.shown(place.paths().get(0));
  }

  private static boolean isOf(TensorFile inside, Finding finding) {
    return finding.subject().equals(inside.name());
  }

  private static Finding bare(Finding finding) {
    return new Finding(
        finding.code(),
        finding.severity(),
        "",
        finding.expected(),
        finding.actual(),
        finding.evidence());
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == Severity.ERROR;
  }

  private Failure unreadable(Place place, String why) {
    Exit exit = place.host() == null ? Exit.LOCAL_FILE : Exit.REFUSED;
    return Failure.of(exit, shown(place), why);
  }

  private Failure unreadable(Place place, IOException trouble) {
    if (trouble instanceof AccessDeniedException) {
      return unreadable(place, "permission denied");
    }
    String message = String.valueOf(trouble.getMessage());
    return place.host() == null
        ? Failure.of(Exit.LOCAL_FILE, file, message).causedBy(trouble)
        : Failure.of(Exit.LOST, shown(place), "the connection was lost: " + message)
            .causedBy(trouble);
  }

  /** A file under the name by which the user knows it. */
  private record Named(String name, RangedBytes bytes) implements RangedBytes {
    @Override
    public long size() {
      return bytes.size();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
      return bytes.read(ranges);
    }
  }
}
