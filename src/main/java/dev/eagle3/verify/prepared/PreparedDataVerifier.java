package dev.eagle3.verify.prepared;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.verify.ValueVerifier;
import dev.eagle3.verify.deep.Tokens;
import dev.eagle3.verify.deep.TokensReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Compares saved samples with the prepared data that they were made of: by the content of their
 * token ids, never by number, as programs leave out rows and change their order. Gives notes on the
 * set and no more. Reads the ids of each file, one round trip, and at the end the data as a stream.
 */
public final class PreparedDataVerifier implements ValueVerifier {
  private final FileTree files;
  private final PreparedDataRequest request;
  private final ValueVerifier values;
  private final TokensReader tokens;
  private final SavedSamples samples = new SavedSamples();
  private final AtomicInteger limit = new AtomicInteger();

  /** Reads through {@code files}, which stays open; {@code values} looks at the files as well. */
  public PreparedDataVerifier(FileTree files, PreparedDataRequest request, ValueVerifier values) {
    this.files = files;
    this.request = request;
    this.values = values;
    this.tokens = new TokensReader(files);
  }

  @Override
  public List<Finding> verify(FileStat file, TensorFile header, Expectation expected)
      throws IOException {
    for (Tokens sample : tokens.read(header)) {
      if (sample.ids().length > 0) {
        samples.add(file.path(), sample.ids(), withoutPadding(sample));
      }
    }
    limit.set(expected.maxTokens().map(Sourced::value).orElse(0));
    return values.verify(file, header, expected);
  }

  /** Some programs pad the ids as well. */
  private static long[] withoutPadding(Tokens own) {
    int start = (int) Math.min(own.paddingStart(), own.ids().length);
    int end = (int) Math.min(own.paddingEnd(), own.ids().length);
    return Arrays.copyOfRange(own.ids(), start, Math.max(start, end));
  }

  @Override
  public List<Finding> verifyTogether() throws IOException {
    PreparedNotes notes = new PreparedNotes(request, samples);
    Optional<String> trouble = samples.count() == 0 ? Optional.of("no ids") : compare(notes);
    List<Finding> findings = new ArrayList<>(values.verifyTogether());
    if (trouble.isEmpty()) {
      findings.addAll(notes.findings());
    } else if (request.asked()) {
      findings.add(
          Finding.of(
              "samples.not-compared",
              Severity.NOTE,
              request.path(),
              "prepared data to compare with",
              trouble.get()));
    }
    return findings;
  }

  /** What kept the data from being compared; empty when it was. */
  private Optional<String> compare(PreparedNotes notes) throws IOException {
    try {
      Optional<FileStat> there = files.stat(request.path());
      if (there.isEmpty()) {
        return Optional.of("it is not there");
      }
      if (there.get().kind() != FileKind.FILE) {
        return Optional.of("it is no file");
      }
      if (there.get().bytes() > request.mostBytes()) {
        return Optional.of("its " + there.get().bytes() + " bytes are too many to read for this");
      }
      samples.sort();
      // Where no limit is known, the longest sample may be one that was cut.
      int cutAt = limit.get() > 0 ? limit.get() : samples.longest();
      return new PreparedRowsReader(files).read(request.path(), cutAt, notes)
          ? Optional.empty()
          : Optional.of("it is no JSON Lines file with input_ids in each line");
    } catch (NoSuchFileException vanished) {
      return Optional.of("it vanished");
    } catch (AccessDeniedException denied) {
      return Optional.of("it cannot be read");
    }
  }
}
