package dev.eagle3.extractor;

/**
 * What a layer id means. The same tensor, the residual stream after the 0-based layer i of n, has
 * another number in each.
 */
public enum LayerNumbering {
  /** i is the output of layer i: 0 to n-1. speculators up to 0.4, SpecForge, ModelOpt. */
  OUTPUT_OF_LAYER,
  /** i+1 is the output of layer i, 0 the embeddings, n the last before the final norm: vLLM. */
  INPUT_OF_LAYER,
  /** As {@link #INPUT_OF_LAYER}, but n is after the final norm: {@code hidden_states} of HF. */
  HIDDEN_STATES_TUPLE
}
