/**
 * Prepared data × saved samples → which rows of the data have files, by the content of token ids.
 */
@NullMarked
package dev.eagle3.verify.prepared;

import org.jspecify.annotations.NullMarked;
