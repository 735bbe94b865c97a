package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;

/** What a walker met that it could not list, and why. */
final class WalkFaults {
  private static final int MOST_NAMED = 3;

  private final Cases broken = new Cases();
  private final Cases opaque = new Cases();
  private final Cases repeatedKeys = new Cases();
  private final Cases inside = new Cases();

  void broken(String path, UnreadableTensor fault) {
    broken.add(Findings.place(path) + ": " + fault.says());
  }

  /** An object of a class that we know nothing of. */
  void opaque(String path, String type) {
    opaque.add(Findings.place(path) + " is made by " + Findings.shortened(type));
  }

  /** A tensor within such an object. */
  void inside(String path, RebuiltTensor tensor) {
    inside.add(Findings.place(path) + " " + tensor.words());
  }

  void repeatedKey(String path) {
    repeatedKeys.add(Findings.place(path));
  }

  void report(Findings findings) {
    findings.gather(
        Severity.ERROR,
        "file.tensor-invalid",
        "tensors that torch can rebuild",
        "tensors cannot be rebuilt",
        broken);
    reportOpaque(findings);
    findings.gather(
        Severity.WARNING,
        "file.duplicate-key",
        "each key of a dict once",
        "keys of a dict stand twice; the last counts",
        repeatedKeys);
  }

  private void reportOpaque(Findings findings) {
    if (opaque.count() == 0) {
      return;
    }
    List<String> evidence = new ArrayList<>();
    String actual = opaque.examples().get(0);
    if (opaque.count() > 1) {
      actual = Findings.grouped(opaque.count()) + " objects of other classes";
      evidence.addAll(opaque.examples());
    }
    if (inside.count() > 0) {
      List<String> named = inside.examples().stream().limit(MOST_NAMED).toList();
      String more = inside.count() > named.size() ? ", …" : "";
      evidence.add(
          (inside.count() == 1 ? "1 tensor" : Findings.grouped(inside.count()) + " tensors")
              + " within, not listed: "
              + String.join(", ", named)
              + more);
    }
    findings.warning(
        "file.opaque-object",
        "tensors in dicts, lists and tuples",
        actual,
        evidence.toArray(String[]::new));
  }
}
