/**
 * What saved tensors should look like: from flags, plan, model config, or the files' own consensus.
 */
@NullMarked
package dev.eagle3.expect;

import org.jspecify.annotations.NullMarked;
