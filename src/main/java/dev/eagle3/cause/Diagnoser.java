package dev.eagle3.cause;

import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.expect.FoundExpectation;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.util.List;

/** Verifies saved files and names the causes of what is wrong, reporting all of it. */
public final class Diagnoser {
  private final FileTree files;
  private final int inFlight;
  private final EventSink sink;

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param inFlight as for {@link FolderVerifier}
   */
  public Diagnoser(FileTree files, int inFlight, EventSink sink) {
    this.files = files;
    this.inFlight = inFlight;
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
        new FolderVerifier(files, inFlight).verify(paths, found.expectation(), sink);
    RunFacts run = sources.plan().map(RunFacts::of).orElse(RunFacts.NONE);
    Explanation why = new CauseFinder().explain(result.files(), found.expectation(), run);
    why.notes().forEach(note -> sink.emit(new Event.Found(note)));
    why.causes().forEach(cause -> sink.emit(new Event.Named(cause)));
    return new Diagnosis(result, found.expectation(), found.findings(), why.causes());
  }
}
