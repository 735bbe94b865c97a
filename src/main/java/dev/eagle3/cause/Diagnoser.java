package dev.eagle3.cause;

import static dev.eagle3.verify.prepared.PreparedDataRequest.FEW_BYTES;
import static dev.eagle3.verify.prepared.PreparedDataRequest.MANY_BYTES;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.expect.FoundExpectation;
import dev.eagle3.expect.SampleLimits;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.ValueVerifier;
import dev.eagle3.verify.VerifyResult;
import dev.eagle3.verify.law.LawOutcome;
import dev.eagle3.verify.law.LawRequest;
import dev.eagle3.verify.law.LawVerifier;
import dev.eagle3.verify.prepared.PreparedDataRequest;
import dev.eagle3.verify.prepared.PreparedDataVerifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Verifies saved files and names the causes of what is wrong, reporting all of it. */
public final class Diagnoser {
  private final FileTree files;
  private final int inFlight;
  private final ValueVerifier values;
  private final EventSink sink;
  private Optional<PreparedDataRequest> prepared = Optional.empty();

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
   * Compares with prepared data of a request, in place of that of the run, which is compared with
   * when it is small.
   */
  public Diagnoser with(PreparedDataRequest request) {
    prepared = Optional.of(request);
    return this;
  }

  /**
   * Finds what is expected, verifies everything at {@code paths}, and looks for causes. Blocks.
   *
   * @throws IOException when the connection is gone
   */
  public Diagnosis diagnose(List<String> paths, ExpectationSources sources) throws IOException {
    return diagnose(paths, sources, Optional.empty());
  }

  /**
   * As the other, and tests the laws that hold between values where that is asked for, which reads
   * some rows of each file.
   *
   * @throws IOException when the connection is gone
   */
  public Diagnosis diagnose(
      List<String> paths, ExpectationSources sources, Optional<LawRequest> laws)
      throws IOException {
    FoundExpectation found = new ExpectationFinder(files).find(sources);
    found.findings().forEach(finding -> sink.emit(new Event.Found(finding)));
    VerifyResult result =
        new FolderVerifier(files, inFlight, comparing(sources))
            .verify(paths, found.expectation(), sink);
    RunFacts run =
        sources.plan().map(plan -> RunFacts.of(plan, sources.planName())).orElse(RunFacts.NONE);
    Explanation why = new CauseFinder().explain(result.files(), found.expectation(), run);
    why.notes().forEach(note -> sink.emit(new Event.Found(note)));
    List<Cause> causes = new ArrayList<>(why.causes());
    if (laws.isPresent()) {
      LawOutcome outcome = test(laws.get(), result, found.expectation());
      VerifyResult judged = outcome.addedTo(result);
      report(outcome, result, judged);
      result = judged;
      causes.addAll(outcome.causes());
    }
    causes.forEach(cause -> sink.emit(new Event.Named(cause)));
    return new Diagnosis(result, found.expectation(), found.findings(), causes);
  }

  /** The values, and the prepared data where there is any to compare with. */
  private ValueVerifier comparing(ExpectationSources sources) {
    return prepared
        .or(
            () ->
                sources.plan().filter(plan -> !plan.preparedData().isEmpty()).map(this::preparedBy))
        .map(request -> (ValueVerifier) new PreparedDataVerifier(files, request, values))
        .orElse(values);
  }

  private PreparedDataRequest preparedBy(ExtractionPlan plan) {
    long most = values == ValueVerifier.NONE ? FEW_BYTES : MANY_BYTES;
    boolean whole = !SampleLimits.areIn(plan.scriptArguments());
    return new PreparedDataRequest(plan.preparedData(), most, false, whole);
  }

  /** Says once more of each file that turned out bad what it is, and then what was found. */
  private void report(LawOutcome outcome, VerifyResult before, VerifyResult after) {
    Set<String> bad = new HashSet<>();
    for (int index = 0; index < after.files().size(); index++) {
      FileVerdict file = after.files().get(index);
      if (file.verdict() != before.files().get(index).verdict() && bad.add(file.path())) {
        sink.emit(file.event());
        outcome.findings().stream()
            .filter(found -> found.subject().equals(file.path()))
            .forEach(found -> sink.emit(new Event.Found(found)));
      }
    }
    outcome.findings().stream()
        .filter(found -> !bad.contains(found.subject()))
        .forEach(found -> sink.emit(new Event.Found(found)));
  }

  private LawOutcome test(LawRequest laws, VerifyResult result, Expectation expected)
      throws IOException {
    OptionalLong hiddenSize =
        expected
            .hiddenSize()
            .map(size -> OptionalLong.of(size.value()))
            .orElse(OptionalLong.empty());
    return new LawVerifier(files, inFlight)
        .verify(result.files(), laws.modelFolder(), hiddenSize, sink);
  }
}
