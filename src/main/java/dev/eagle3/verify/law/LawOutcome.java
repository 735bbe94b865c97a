package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import dev.eagle3.verify.VerifyResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What the laws say of a set of files.
 *
 * @param findings what is wrong with files, the subject being the path; and notes on all of them
 * @param causes what the findings come from
 */
public record LawOutcome(List<Finding> findings, List<Cause> causes) {
  /** Copies the lists. */
  public LawOutcome {
    findings = List.copyOf(findings);
    causes = List.copyOf(causes);
  }

  /** The result with these findings: files that break a law are bad. */
  public VerifyResult addedTo(VerifyResult result) {
    List<Finding> ofSet = new ArrayList<>(result.setFindings());
    List<FileVerdict> files = new ArrayList<>(result.files().size());
    for (FileVerdict file : result.files()) {
      List<Finding> more =
          findings.stream().filter(found -> found.subject().equals(file.path())).toList();
      files.add(more.isEmpty() ? file : withMore(file, more));
    }
    List<String> paths = result.files().stream().map(FileVerdict::path).toList();
    findings.stream().filter(found -> !paths.contains(found.subject())).forEach(ofSet::add);
    return new VerifyResult(files, ofSet, result.expectedSamples());
  }

  private static FileVerdict withMore(FileVerdict file, List<Finding> more) {
    List<Finding> all = new ArrayList<>(file.findings());
    all.addAll(more);
    boolean isBad = more.stream().anyMatch(found -> found.severity() == Severity.ERROR);
    return new FileVerdict(
        file.path(),
        file.bytes(),
        isBad ? Verdict.BAD : file.verdict(),
        file.shape(),
        file.says(),
        all);
  }
}
