package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Whole;
import dev.eagle3.tensor.TensorAssembler.Stored;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the format of {@code torch.save} from 0.1.10 to 1.5, which later versions still write when
 * asked ({@code _legacy_save} in {@code torch/serialization.py}): five pickles, which are a magic
 * number, a version, facts of the system, the object, and the keys of the storages; then for each
 * key the number of elements in 8 bytes, and the elements.
 */
final class LegacyTorchReader {
  /** The number 0x1950a86a20f9469cfc6c: {@code MAGIC_NUMBER} of torch. */
  private static final byte[] MAGIC = {
    (byte) 0x8a,
    10,
    0x6c,
    (byte) 0xfc,
    (byte) 0x9c,
    0x46,
    (byte) 0xf9,
    0x20,
    0x6a,
    (byte) 0xa8,
    0x50,
    0x19
  };

  private static final int FRAME_BYTES = 9;
  private static final int NEWEST_PROTOCOL = 5;

  /** {@code PROTOCOL_VERSION} of torch. */
  private static final long VERSION = 1001;

  /** Pickles before that of the object. */
  private static final int PREAMBLE = 3;

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;
  private final CutReport report;
  private final PickleFetcher pickles;

  LegacyTorchReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
    this.report = new CutReport(window, findings);
    this.pickles = new PickleFetcher(window, limits);
  }

  /** Whether a file starts with the magic number, in any protocol, as far as it goes. */
  static boolean looksLike(Slice head) {
    if (head.length() < 4 || head.u8(0) != 0x80 || head.u8(1) > NEWEST_PROTOCOL) {
      return false;
    }
    int at = head.u8(2) == Opcode.FRAME.code() ? 2 + FRAME_BYTES : 2;
    int there = Math.min(MAGIC.length, head.length() - at);
    for (int index = 0; index < there; index++) {
      if (head.u8(at + index) != (MAGIC[index] & 0xff)) {
        return false;
      }
    }
    return there >= 2;
  }

  TensorContent read() throws IOException, FileFault {
    long at = 0;
    for (int place = 0; place < PREAMBLE; place++) {
      PickleTree tree = pickles.read(at);
      if (tree.problem() != null) {
        preambleEnds(at, tree);
        return TensorContent.nothing(ContainerKind.TORCH_LEGACY);
      }
      if (place == 1) {
        checkVersion(tree.root());
      }
      at += tree.length();
    }
    return object(at);
  }

  private void preambleEnds(long at, PickleTree tree) {
    if (pickles.isCut(at, tree)) {
      report.cut("more bytes", "it ends before the pickle of its object");
    } else if (tree.problem() != null) {
      findings.error("file.pickle-invalid", "a pickle that can be read", tree.problem().line());
    }
  }

  private void checkVersion(@Nullable Node version) {
    if (!(version instanceof Whole number && number.value() == VERSION)) {
      findings.error(
          "file.version-unknown",
          "version " + VERSION,
          version instanceof Whole number ? "version " + number.value() : "no number");
    }
  }

  private TensorContent object(long at) throws IOException, FileFault {
    PickleTree tree = pickles.read(at);
    if (pickles.isCut(at, tree)) {
      report.cut("more bytes", "it ends within the pickle of its object");
    }
    TorchPickle torch = new TorchPickle(tree, limits);
    torch.interpret(findings);
    Map<String, Stored> stored =
        torch.isWhole()
            ? new LegacyStorages(window, pickles, findings, torch.storages())
                .locate(at + tree.length())
            : Map.of();
    List<TensorEntry> tensors =
        new TensorAssembler(torch.storages(), stored).assemble(torch.found(), findings);
    return TensorContent.of(ContainerKind.TORCH_LEGACY, torch, tensors);
  }
}
