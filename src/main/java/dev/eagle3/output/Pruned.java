package dev.eagle3.output;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of a folder that was to be deleted.
 *
 * @param path the folder
 * @param freeBytes free room of its file system afterwards; empty when unknown
 * @param left why some of it is still there; empty when it is gone
 */
public record Pruned(String path, OptionalLong freeBytes, Optional<String> left) {}
