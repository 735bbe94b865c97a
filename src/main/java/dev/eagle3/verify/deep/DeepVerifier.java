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
import java.util.zip.ZipException;

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
    try (OpenedSample opened = OpenedSample.of(files, file, header).orElse(null)) {
      return opened == null
          ? List.of(
              notRead(file.path(), "gzip data that inflates to more than its header tells of"))
          : look(opened, file.path(), header, hiddenSize);
    } catch (ZipException damaged) {
      return List.of(
          Finding.of(
              "file.gzip-invalid",
              Severity.ERROR,
              file.path(),
              "gzip data that can be inflated to its end",
              "broken data: " + damaged.getMessage()));
    }
  }

  private List<Finding> look(
      OpenedSample opened, String path, TensorFile header, OptionalLong hiddenSize)
      throws IOException {
    FileScanner reading =
        opened.isInflated() ? new FileScanner(opened.files(), LayerViews::isStates) : scanner;
    FileValues values = reading.scan(opened.header(), hiddenSize);
    List<Finding> findings = new ArrayList<>(new ValueJudge(path, values).findings());
    opened.header().findings().stream()
        .filter(finding -> opened.isInflated() && finding.severity() == Severity.ERROR)
        .filter(finding -> header.findings().stream().noneMatch(finding::equals))
        .forEach(findings::add);
    findings.addAll(new RowComparer(opened.files()).compare(path, values));
    comparer.add(path, values);
    ranges.add(path, values);
    return findings;
  }

  private static Finding notRead(String subject, String why) {
    return Finding.of(
        "values.not-read", Severity.NOTE, subject, "values that can be looked at", why);
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
        notRead(folder, "samples in shards without headers, of which values are not looked at"));
  }
}
