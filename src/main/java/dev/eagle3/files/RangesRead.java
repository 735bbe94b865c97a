package dev.eagle3.files;

import java.util.List;
import java.util.Optional;

/**
 * Ranges of a file, and what the file was like once they had been read.
 *
 * @param ranges as {@link FileTree#read} gives them
 * @param after as {@link FileTree#stat} says; empty when nothing was there any more
 */
public record RangesRead(List<byte[]> ranges, Optional<FileStat> after) {}
