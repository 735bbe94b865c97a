package dev.eagle3.verify;

import dev.eagle3.outcome.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was said of files before. A hundred thousand files differ in little more than their names,
 * so their verdicts share the rest. May be used from many threads at once.
 */
final class KnownTexts {
  /** More different ones are not remembered, and stand for themselves. */
  private static final int MOST = 10_000;

  private final Map<SampleShape, SampleShape> shapes = new ConcurrentHashMap<>();
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private final Map<List<String>, List<String>> lists = new ConcurrentHashMap<>();

  /** The verdict, made of what is known where that is equal. */
  FileVerdict shared(FileVerdict verdict) {
    Optional<SampleShape> shape = verdict.shape().map(own -> known(shapes, own));
    List<Finding> findings = verdict.findings().stream().map(this::shared).toList();
    return new FileVerdict(
        verdict.path(),
        verdict.bytes(),
        verdict.verdict(),
        shape,
        known(texts, verdict.says()),
        findings);
  }

  private Finding shared(Finding finding) {
    return new Finding(
        finding.code(),
        finding.severity(),
        finding.subject(),
        known(texts, finding.expected()),
        known(texts, finding.actual()),
        known(lists, finding.evidence()));
  }

  private static <T> T known(Map<T, T> all, T own) {
    T first = all.get(own);
    if (first == null && all.size() < MOST) {
      first = all.putIfAbsent(own, own);
    }
    return first == null ? own : first;
  }
}
