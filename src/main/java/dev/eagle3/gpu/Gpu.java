package dev.eagle3.gpu;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One GPU of a host.
 *
 * @param index as CUDA_VISIBLE_DEVICES counts them
 * @param uuid empty where {@code nvidia-smi} did not say it
 * @param name of the product; empty likewise
 * @param totalMiB its memory in MiB
 * @param usedMiB memory in use in MiB
 * @param needed whether the job needs it
 */
public record Gpu(
    int index,
    Optional<String> uuid,
    Optional<String> name,
    OptionalLong totalMiB,
    OptionalLong usedMiB,
    boolean needed) {}
