package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import dev.eagle3.verify.VerifyResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
    Map<String, List<Finding>> bySubject =
        findings.stream().collect(Collectors.groupingBy(Finding::subject));
    Set<String> paths = new HashSet<>();
    for (FileVerdict file : result.files()) {
      List<Finding> more = bySubject.getOrDefault(file.path(), List.of());
      paths.add(file.path());
      files.add(more.isEmpty() ? file : withMore(file, more));
    }
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
