package dev.eagle3.expect;

import java.util.OptionalDouble;

/**
 * What a model's {@code config.json} says of its last norm and its language head.
 *
 * @param normEpsilon epsilon of the RMSNorm; empty when the model does not name one, as models with
 *     another norm do
 * @param isNormOffset whether the weight of the norm is stored as its difference from 1
 * @param isTied whether the head is the table of token embeddings
 */
public record HeadConfig(OptionalDouble normEpsilon, boolean isNormOffset, boolean isTied) {}
