package dev.eagle3.cause;

import java.util.List;

/** Causes that the shape of a single file proves. T tokens, H hidden size, L layers. */
final class LayerCauses {
  /** All of them. */
  static final List<CauseRule> ALL =
      List.of(
          new FileByFile(
              "layers.transposed",
              "the two sizes of each layer changed places: [H, T] was saved instead of [T, H]. The"
                  + " values are all there",
              "save layer.T.contiguous(), or drop the transpose in front of torch.save; the files"
                  + " that exist can be turned in the same way",
              LayerProofs::transposed),
          new FileByFile(
              "layers.batch-kept",
              "each layer was saved with a dimension for the batch in front, [1, T, H]. The values"
                  + " are all there, but readers of this format take the 1 for the tokens",
              "save layer.squeeze(0), or layer[0]; the files that exist can be changed in the same"
                  + " way",
              LayerProofs::batchKept),
          new FileByFile(
              "layers.whole-batch",
              "each layer holds the whole batch, [B, T, H], and was not split into its samples. So"
                  + " every file of a batch holds the states of all its samples",
              "save layer[i, :T] for sample i, with T from its own attention mask, or extract with"
                  + " a batch size of 1",
              LayerProofs::wholeBatch),
          new FileByFile(
              "layers.in-one-tensor",
              "all layers were saved as one tensor, where this format has a list of matrices"
                  + " [T, H]. The values are all there",
              "save a list: list(stack.unbind(0)) of [L, T, H], list(stack.unbind(1)) of [T, L, H],"
                  + " list(wide.chunk(L, dim=-1)) of [T, L*H]; or name the format that is meant"
                  + " with --schema",
              LayerProofs::inOneTensor),
          new FileByFile(
              "layers.doubled",
              "each layer was captured more than once for one sample. Either the hooks were put on"
                  + " the model again without taking the old ones off, or the list of captured"
                  + " layers is not emptied between two passes",
              "register the hooks once (keep the handles and call remove()), and empty the list of"
                  + " captured layers before each pass; then extract again, as later files may hold"
                  + " layers of other samples",
              LayerProofs::doubled),
          new FileByFile(
              "layers.not-captured",
              "a layer was asked for that the model does not have by the numbering of this program,"
                  + " and nothing was captured for it. The layers that are there are those of the"
                  + " other ids",
              "ask for the last layer as n - 1 where ids name the output of a layer (speculators,"
                  + " SpecForge, ModelOpt); ids up to n are those of vLLM, which count what goes"
                  + " into a layer, and vLLM before pull request 46973 dropped id n of DeepSeek and"
                  + " Kimi models",
              LayerProofs::notCaptured),
          new FileByFile(
              "layers.other-tensor",
              "the width of the layers is not the model's hidden size but that of another tensor of"
                  + " this model, so another tensor was captured. The hidden states are in no file",
              "capture what a decoder layer returns (hidden_states, plus the residual where the"
                  + " layer returns one), not what a module inside of it or another part of the"
                  + " model returns; then extract again",
              LayerProofs::otherTensor),
          new FileByFile(
              "layers.whole-storage",
              "a part of a larger tensor was saved without copying it, so the file holds all of the"
                  + " larger tensor. What is meant is right, the file is larger than it need be",
              "save part.clone() instead of the view; the files that exist may stay as they are",
              LayerProofs::wholeStorage));

  private LayerCauses() {}
}
