package dev.eagle3.expect;

import java.util.List;

/**
 * What {@code manifest.json} of DeepSpec's {@code prepare_target_cache.py} says of the shards
 * beside it. It is written last: a folder with it is complete.
 *
 * @param samples how many samples
 * @param shards names of the files, by their numbers
 * @param layers layers of a sample, without the last one, which is there as well
 * @param hiddenSize H
 * @param dtype of the layers, in torch's words
 */
public record ShardManifest(
    long samples, List<String> shards, int layers, long hiddenSize, String dtype) {
  /** Copies the list. */
  public ShardManifest {
    shards = List.copyOf(shards);
  }
}
