package dev.eagle3.cause;

import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.expect.FoundExpectation;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.ValueVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.util.List;

/** Verifies saved files and names the causes of what is wrong, reporting all of it. */
public final class Diagnoser {
  private final FileTree files;
  private final int inFlight;
  private final ValueVerifier values;
  private final EventSink sink;

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param inFlight as for {@link FolderVerifier}
   */
  public Diagnoser(FileTree files, int inFlight, EventSink sink) {
    this(files, inFlight, ValueVerifier.NONE, sink);
  }

  /** As the other, and looks at values too. */
  public Diagnoser(FileTree files, int inFlight, ValueVerifier values, EventSink sink) {
    this.files = files;
    this.inFlight = inFlight;
    this.values = values;
    this.sink = sink;
  }

  /**
   * Finds what is expected, verifies everything at {@code paths}, and looks for causes. Blocks.
   *
   * @throws IOException when the connection is gone
   */
  public Diagnosis diagnose(List<String> paths, ExpectationSources sources) throws IOException {
    FoundExpectation found = new ExpectationFinder(files).find(sources);
    found.findings().forEach(finding -> sink.emit(new Event.Found(finding)));
    VerifyResult result =
        new FolderVerifier(files, inFlight, values).verify(paths, found.expectation(), sink);
    List<Cause> causes = new CauseFinder().find(result.files(), found.expectation());
    causes.forEach(cause -> sink.emit(new Event.Named(cause)));
    return new Diagnosis(result, found.expectation(), causes);
  }
}
