package dev.eagle3.tensor;

import java.io.IOException;
import java.util.List;

/**
 * Reads a pickle that stands alone, as {@code pickle.dump} writes it: no file of {@code
 * torch.save}, which is said, but what it names and which arrays it holds can be told.
 */
final class PlainPickleReader {
  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  PlainPickleReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  /** Whether a file starts with a protocol from 2 to 5 and an opcode. */
  static boolean looksLike(Slice head) {
    return head.length() > 2
        && head.u8(0) == Opcode.PROTO.code()
        && head.u8(1) >= 2
        && head.u8(1) <= 5
        && Opcode.of(head.u8(2)) != null;
  }

  TensorContent read() throws IOException, FileFault {
    PickleTree tree = new PickleFetcher(window, limits).read(0);
    findings.error(
        "file.foreign",
        "a torch zip or safetensors file",
        "a plain pickle (protocol %d), not one of torch.save".formatted(tree.protocol()),
        tree.problem() == null
            ? "torch.load says \"Invalid magic number; corrupt file?\""
            : "it cannot be read to its end: " + tree.problem().line());
    TorchPickle pickle = new TorchPickle(tree, limits);
    pickle.interpret(new Findings(""));
    pickle.judgeDanger(findings);
    return new TensorContent(
        ContainerKind.FOREIGN, pickle.keys(), List.of(), pickle.arrays(), pickle.globals());
  }
}
