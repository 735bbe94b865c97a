package dev.eagle3.verify.deep;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.verify.ValueVerifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Reads the values of samples: one pass over each file. Keeps a few numbers of each file to compare
 * files with each other.
 */
public final class DeepVerifier implements ValueVerifier {
  private final FileTree files;
  private final Predicate<String> chosen;
  private final FileScanner scanner;
  private final FileComparer comparer;
  private final LayerRangesTeller ranges = new LayerRangesTeller();

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param chosen whether to read the file of a path
   */
  public DeepVerifier(FileTree files, Predicate<String> chosen) {
    this.files = files;
    this.chosen = chosen;
    this.scanner = new FileScanner(files, LayerViews::isStates);
    this.comparer = new FileComparer(files);
  }

  @Override
  public List<Finding> verify(FileStat file, TensorFile header, Expectation expected)
      throws IOException {
    if (!chosen.test(file.path())) {
      return List.of();
    }
    OptionalLong hiddenSize =
        expected
            .hiddenSize()
            .map(size -> OptionalLong.of(size.value()))
            .orElse(OptionalLong.empty());
    FileValues values = scanner.scan(header, hiddenSize);
    List<Finding> findings = new ArrayList<>(new ValueJudge(file.path(), values).findings());
    findings.addAll(new RowComparer(files).compare(file.path(), values));
    comparer.add(file.path(), values);
    ranges.add(file.path(), values);
    return findings;
  }

  @Override
  public List<Finding> verifyTogether() throws IOException {
    List<Finding> findings = new ArrayList<>(comparer.findings());
    findings.addAll(ranges.findings());
    return findings;
  }

  @Override
  public List<Finding> leftOut(String folder) {
    return List.of(
        Finding.of(
            "values.not-read",
            Severity.NOTE,
            folder,
            "values that can be looked at",
            "samples in shards without headers, of which values are not looked at"));
  }
}
