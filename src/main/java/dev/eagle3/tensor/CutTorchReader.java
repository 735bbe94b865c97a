package dev.eagle3.tensor;

import dev.eagle3.tensor.TensorAssembler.Stored;
import dev.eagle3.tensor.TorchHeadReader.FirstEntry;
import dev.eagle3.tensor.TorchHeadReader.Measure;
import dev.eagle3.tensor.TorchLayout.Placed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a torch file that has no ZIP directory at its end: it was cut, or writing it stopped. What
 * it should hold is told by its start.
 */
final class CutTorchReader {
  private static final String STORAGE = "data/";

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;
  private final CutReport report;

  CutTorchReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
    this.report = new CutReport(window, findings);
  }

  TensorContent read() throws IOException, FileFault {
    TorchHeadReader head = new TorchHeadReader(window);
    FirstEntry first = head.first();
    if (first == null) {
      noDirectory("what it should hold cannot be told");
      return TensorContent.nothing(ContainerKind.TORCH_ZIP);
    }
    PickleFetcher pickles = new PickleFetcher(window, limits);
    PickleTree tree = pickles.read(first.dataOffset());
    if (pickles.isCut(first.dataOffset(), tree)) {
      report.cut("more bytes", "it ends within the pickle");
    }
    TorchPickle torch = new TorchPickle(tree, limits);
    torch.interpret(findings);
    Map<String, Stored> stored =
        torch.isWhole() ? stored(head.measure(first, tree.length(), torch.storages())) : Map.of();
    List<TensorEntry> tensors =
        new TensorAssembler(torch.storages(), stored).assemble(torch.found(), findings);
    return TensorContent.of(ContainerKind.TORCH_ZIP, torch, tensors);
  }

  /** Says how much is missing; gives what the file holds of each storage. */
  private Map<String, Stored> stored(@Nullable Measure measure) {
    if (measure == null) {
      noDirectory("how long it should be cannot be told");
      return Map.of();
    }
    Map<String, Stored> stored = new HashMap<>();
    int whole = 0;
    for (Placed entry : measure.plan().placed()) {
      if (entry.name().startsWith(STORAGE)) {
        long there = Math.min(entry.bytes(), window.size() - entry.dataOffset());
        whole += there == entry.bytes() ? 1 : 0;
        if (there > 0 || there == entry.bytes()) {
          String key = entry.name().substring(STORAGE.length());
          stored.put(key, new Stored(entry.dataOffset(), there, -1));
        }
      }
    }
    if (window.size() < measure.plan().fileBytes()) {
      report.cut(measure.needs(), CutReport.extent(whole, measure.storages(), "its directory"));
    } else {
      noDirectory("it needs " + measure.needs() + ", and has them");
    }
    return stored;
  }

  private void noDirectory(String known) {
    findings.error(
        "file.no-directory",
        "a zip directory at the end of the file",
        "none in " + Findings.grouped(window.size()) + " bytes",
        report.withZeros(known));
  }
}
