package dev.eagle3.gpu;

import java.util.List;

/**
 * Memory of a GPU that is in use with no holder that can be seen from the host: one outside this
 * container, or hidden.
 *
 * @param gpu index of the GPU
 * @param mebibytes how much
 * @param pids process ids that {@code nvidia-smi} names on it, which are nobody, or somebody else,
 *     in the process namespace of the host
 */
public record HiddenMemory(int gpu, long mebibytes, List<Long> pids) {
  /** Copies the list. */
  public HiddenMemory {
    pids = List.copyOf(pids);
  }
}
