package dev.eagle3.cause;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.verify.FileVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Causes that findings on values prove by themselves. */
final class ValueCauses {
  private static final int MOST_EVIDENCE = 3;

  /** All of them, most telling first. */
  static final List<CauseRule> ALL =
      List.of(
          new Rule(
              "values.dtype-overflow",
              Set.of("values.overflow"),
              "activations outgrew float16, which ends at 65,504: always in the same few channels,"
                  + " and nowhere else is anything wrong. The files are not damaged, but training"
                  + " on them ends in NaN",
              "the dtype of the model or of what is saved",
              "extract in bfloat16 (--dtype bfloat16 for vLLM), which has the range of float32"),
          new Rule(
              "layers.embeddings-captured",
              Set.of("values.embeddings"),
              "rows of the layer depend on their token alone, so what was captured are embeddings,"
                  + " which no layer has seen yet. Layer ids were counted from another place than"
                  + " was meant, or the hook sits before the first layer",
              "the layer ids, or the place of the hook",
              "ask for layers by the numbering of the extraction program: 0 is the embeddings where"
                  + " ids count what goes into a layer, and the first layer's output elsewhere"),
          new Rule(
              "layers.captured-twice",
              Set.of("values.identical-layers"),
              "two layers of a file are the same bit by bit, which no two layers of a model"
                  + " compute. One was captured twice, and the other is missing",
              "the layer ids, or the buffer that layers are put in",
              "ask for each layer once; if ids differ, copy each layer (.clone()) before the buffer"
                  + " is used for the next"),
          new Rule(
              "values.never-written",
              Set.of("values.all-zero", "values.zero-rows", "values.constant-rows"),
              "rows hold zeros, or one number all along, where tokens are: memory that was set up"
                  + " and never written. The file was saved before the states had arrived, or a"
                  + " part of the batch was never copied",
              "where states are copied from the GPU",
              "wait for the copy (torch.cuda.synchronize(), or no non_blocking=True) before"
                  + " saving; then extract these samples again"));

  private ValueCauses() {}

  /**
   * A cause that one kind of finding proves.
   *
   * @param code of the cause
   * @param proofs codes of the findings
   */
  private record Rule(String code, Set<String> proofs, String says, String where, String fix)
      implements CauseRule {
    @Override
    public Optional<Cause> find(Symptoms symptoms) {
      List<String> subjects = new ArrayList<>();
      List<String> evidence = new ArrayList<>();
      for (FileVerdict file : symptoms.files()) {
        List<Finding> found =
            file.findings().stream().filter(each -> proofs.contains(each.code())).toList();
        if (!found.isEmpty()) {
          subjects.add(file.path());
          String name = file.path().substring(file.path().lastIndexOf('/') + 1);
          found.forEach(each -> evidence.add(name + ": " + each.actual()));
        }
      }
      if (subjects.isEmpty()) {
        return Optional.empty();
      }
      List<String> first =
          new ArrayList<>(evidence.subList(0, Math.min(MOST_EVIDENCE, evidence.size())));
      if (subjects.size() > 1) {
        first.add(subjects.size() + " files have it");
      }
      return Optional.of(new Cause(code, says, first, where, fix, subjects));
    }
  }
}
