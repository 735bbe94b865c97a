package dev.eagle3.tensor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the pickle of a torch file says: tensors, storages, names. Findings about the pickle itself
 * are made here.
 */
final class TorchPickle {
  private final PickleTree tree;
  private final StorageTable storages;
  private final TensorWalker walker;

  TorchPickle(PickleTree tree, ReadLimits limits) {
    this.tree = tree;
    this.storages = new StorageTable(tree.persistents());
    this.walker =
        new TensorWalker(limits, new TensorRebuilder(limits.rank(), storages.byReference()));
  }

  /** Walks the tree, once, and adds what is wrong with it. */
  void interpret(Findings findings) {
    PickleTree.Problem problem = tree.problem();
    if (problem != null && !tree.endsEarly()) {
      if (problem.kind() == PickleFault.Kind.LIMIT) {
        findings.error(
            "file.limit",
            "a pickle of sizes that can be real",
            problem.line(),
            "limits grow with the memory that Java may use (-Xmx)");
      } else {
        findings.error("file.pickle-invalid", "a pickle that can be read", problem.line());
      }
    }
    if (tree.root() != null) {
      try {
        walker.walk(tree.root());
      } catch (FileFault fault) {
        findings.add(fault);
      }
    }
    walker.report(findings);
    storages.report(findings);
    if (!tree.framesHold() && problem == null) {
      findings.error(
          "file.hostile-frame",
          "frames that end where an opcode ends",
          "a frame that lies about its length",
          "readers of pickles disagree on what such a file holds");
    }
    judgeNames(findings);
  }

  StorageTable storages() {
    return storages;
  }

  List<TensorWalker.Found> found() {
    return walker.found();
  }

  List<ArrayEntry> arrays() {
    return walker.arrays();
  }

  List<String> keys() {
    return walker.keys();
  }

  /** Short texts at the top, by name. */
  Map<String, String> texts() {
    return walker.texts();
  }

  List<String> globals() {
    return tree.globals();
  }

  /** Whether the whole pickle was read. */
  boolean isWhole() {
    return tree.problem() == null;
  }

  /** Adds names that have no business in a file of tensors. */
  void judgeDanger(Findings findings) {
    judgeDanger(tree.globals(), findings);
  }

  /** Adds those of the names that have no business in a file of tensors. */
  static void judgeDanger(List<String> names, Findings findings) {
    List<String> dangerous = names.stream().filter(TorchNames::isDangerous).toList();
    if (!dangerous.isEmpty()) {
      findings.error(
          "file.hostile-global",
          "no names that run code",
          "it names " + named(dangerous),
          "nothing of it was run; torch.load(weights_only=False) would run it");
    }
  }

  private void judgeNames(Findings findings) {
    judgeDanger(findings);
    List<String> refused =
        tree.globals().stream().filter(name -> !TorchNames.isAllowed(name)).toList();
    @Nullable String needs = null;
    if (!refused.isEmpty()) {
      needs = "it needs " + named(refused);
    } else if (tree.refused() != null) {
      needs =
          "its pickle, protocol %d, has the opcode %s (\"Unsupported operand %d\")"
              .formatted(tree.protocol(), tree.refused(), tree.refused().code());
    }
    if (needs != null) {
      findings.warning(
          "file.weights-only-refused",
          "a file that torch.load takes by default (torch 2.6 and later)",
          needs);
    }
  }

  private static String named(List<String> names) {
    List<String> first = names.stream().limit(5).map(Findings::shortened).toList();
    String more =
        names.size() > first.size() ? " and " + (names.size() - first.size()) + " more" : "";
    return String.join(", ", first) + more;
  }
}
